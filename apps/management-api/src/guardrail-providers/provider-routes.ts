import {
  completeGuardrailConfig,
  guardrailTypeEntries,
  guardrailTypes,
  type GuardrailType,
} from '@portcullis/contracts/guardrail-config';
import {
  createGuardrailProvider,
  deleteGuardrailProvider,
  getGuardrailProvider,
  listGuardrailProviders,
  listGuardrailTypes,
  updateGuardrailProvider,
  type GuardrailProvider,
  type GuardrailProviderChange,
} from '@portcullis/contracts/routes/guardrail-providers';
import { addressRuleOf } from '@portcullis/platform/config/config';
import type { Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import type { AddressRule } from '@portcullis/platform/network/address-guard';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { audited } from '@portcullis/platform/audit/audited';
import { checkProviderHostsOrThrow, checkProviderOrThrow } from './check-provider.ts';
import {
  deleteProviderRow,
  findProvider,
  insertProvider,
  loadProviderPage,
  renderProvider,
  updateProviderRow,
  type ProviderRow,
} from './provider-queries.ts';
import {
  changedHeaders,
  checkSecretsOfNewHostOrThrow,
  maskCredentials,
  maskHeaders,
  mergeCredentials,
  mergeHeadersOrThrow,
  openCredentials,
  sealCredentials,
} from './provider-secrets.ts';

interface ProviderParts extends Pick<Infrastructure, 'database' | 'encryption'> {
  readonly rule: AddressRule;
}

export function guardrailProviderRoutes({ database, encryption, config }: Infrastructure): BoundRoute[] {
  const parts = { database, encryption, rule: addressRuleOf(config) };
  return [
    bindListGuardrailTypes,
    bindListGuardrailProviders,
    bindCreateGuardrailProvider,
    bindGetGuardrailProvider,
    bindUpdateGuardrailProvider,
    bindDeleteGuardrailProvider,
  ].map((bindRoute) => bindRoute(parts));
}

const bindListGuardrailTypes = (): BoundRoute =>
  bind(listGuardrailTypes, () => ({ data: guardrailTypes.map(describeType) }));

const bindListGuardrailProviders = ({ database, encryption }: ProviderParts): BoundRoute =>
  bind(listGuardrailProviders, async ({ query }) => {
    const { rows, total } = await readConsistent(database, (moment) => loadProviderPage(moment, query));
    return {
      data: { providers: rows.map((row) => show(row, encryption)), total, limit: query.limit, offset: query.offset },
    };
  });

const bindCreateGuardrailProvider = ({ database, encryption, rule }: ProviderParts): BoundRoute =>
  bind(createGuardrailProvider, async (call) => {
    const { config: given = {}, credentials: sent = {}, ...fields } = call.body;
    const complete = mergeHeadersOrThrow(undefined, completeGuardrailConfig(fields.provider_type, given));
    const credentials = mergeCredentials({}, sent);
    checkProviderOrThrow(fields.provider_type, complete, credentials, rule);
    await checkProviderHostsOrThrow(given, rule);
    const row = {
      ...fields,
      config: JSON.stringify(complete),
    };
    const data = await audited(
      database,
      call,
      async (transaction) => {
        const id = await insertProvider(transaction, row);
        // Sealed for its row, whose id is known only now.
        const sealed = sealCredentials(id, credentials, encryption);
        if (sealed !== null) await updateProviderRow(transaction, id, { credentials: sealed });
        return load(transaction, id, encryption);
      },
      (after) => ({ event: 'guardrail.provider.created', resource: providerResource(after), after }),
    ).catch((error: unknown) => refuseTakenName(error, fields.name));
    return { data, message: 'Guardrail provider created' };
  });

const bindGetGuardrailProvider = ({ database, encryption }: ProviderParts): BoundRoute =>
  bind(getGuardrailProvider, async ({ params }) => ({ data: await load(database, params.id, encryption) }));

const bindUpdateGuardrailProvider = ({ database, encryption, rule }: ProviderParts): BoundRoute =>
  bind(updateGuardrailProvider, async (call) => {
    const { id } = call.params;
    await checkProviderHostsOrThrow(call.body.config ?? {}, rule);
    const { after } = await audited(
      database,
      call,
      async (transaction) => {
        const row = await loadProviderOrThrow(transaction, id);
        const { complete, credentials, fields } = applyChange(row, call.body, encryption);
        checkSecretsOfNewHostOrThrow(row.config, complete, credentials, call.body.credentials);
        checkProviderOrThrow(row.provider_type as GuardrailType, complete, credentials, rule);
        await updateProviderRow(transaction, id, {
          ...fields,
          config: JSON.stringify(complete),
          ...(call.body.credentials !== undefined && { credentials: sealCredentials(id, credentials, encryption) }),
        });
        const headers = changedHeaders(row.config, complete);
        return {
          before: show(row, encryption),
          after: await load(transaction, id, encryption),
          details: {
            credentials_replaced: replacedSecrets(call.body),
            ...(headers.length > 0 && { headers_replaced: headers }),
          },
        };
      },
      ({ details, ...change }) => ({
        event: 'guardrail.provider.updated',
        resource: providerResource(change.after),
        details,
        ...change,
      }),
    ).catch((error: unknown) => refuseTakenName(error, call.body.name));
    return { data: after, message: 'Guardrail provider updated' };
  });

const bindDeleteGuardrailProvider = ({ database, encryption }: ProviderParts): BoundRoute =>
  bind(deleteGuardrailProvider, async (call) => {
    await audited(
      database,
      call,
      async (transaction) => {
        const before = await load(transaction, call.params.id, encryption);
        await deleteProviderRow(transaction, before.id);
        return before;
      },
      (before) => ({ event: 'guardrail.provider.deleted', resource: providerResource(before), before }),
    );
    return { message: 'Guardrail provider deleted, with all its assignments' };
  });

export const providerResource = ({ id, name }: Pick<GuardrailProvider, 'id' | 'name'>) => ({
  type: 'guardrail_provider',
  id,
  name,
});

/** @throws {GatewayError} when there is none */
export async function loadProviderOrThrow(database: Queryable, id: number): Promise<ProviderRow> {
  const row = await findProvider(database, id);
  if (row === undefined) throw new GatewayError('not_found', { message: `There is no guardrail provider ${id}` });
  return row;
}

const show = (row: ProviderRow, encryption: Encryption) =>
  renderProvider(
    { ...row, config: maskHeaders(row.config as Readonly<Record<string, unknown>>) as ProviderRow['config'] },
    maskCredentials(openCredentials(row, encryption)),
  );

const load = async (from: Queryable, id: number, encryption: Encryption) =>
  show(await loadProviderOrThrow(from, id), encryption);

const describeType = (type: GuardrailType) => {
  const { label, config, credentials } = guardrailTypeEntries[type];
  return {
    provider_type: type,
    label,
    config_schema: { ...config } as Record<string, unknown>,
    credentials_schema: { ...credentials } as Record<string, unknown>,
  };
};

function applyChange(row: ProviderRow, change: GuardrailProviderChange, encryption: Encryption) {
  const { config, credentials: given = {}, ...fields } = change;
  const stored = row.config as Readonly<Record<string, unknown>>;
  return {
    complete:
      config === undefined
        ? stored
        : mergeHeadersOrThrow(stored, completeGuardrailConfig(row.provider_type as GuardrailType, config)),
    credentials: mergeCredentials(openCredentials(row, encryption), given),
    fields,
  };
}

/** Names of the secrets that came anew: masks look the same before and after. */
const replacedSecrets = ({ credentials = {} }: GuardrailProviderChange): string[] =>
  Object.keys(credentials).filter((field) => maskCredentials(credentials)[field] !== credentials[field]);

function refuseTakenName(error: unknown, name: string | undefined): never {
  if (violatedConstraint(error, 'unique') === undefined) throw error;
  throw new GatewayError('conflict', { message: `There is a guardrail provider ${JSON.stringify(name)} already` });
}
