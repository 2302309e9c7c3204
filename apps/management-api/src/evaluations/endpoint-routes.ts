import { endpointDefaults, type EvaluationEndpointFields } from '@portcullis/contracts/evaluation-endpoint';
import {
  createGuardrailEndpoint,
  deleteGuardrailEndpoint,
  getGuardrailEndpoint,
  listGuardrailEndpoints,
  parseCurlCommand,
  updateGuardrailEndpoint,
  type GuardrailEndpoint,
  type GuardrailEndpointChange,
} from '@portcullis/contracts/routes/guardrail-endpoints';
import { importCurl } from '@portcullis/core/evaluation/request/import-curl';
import { audited } from '@portcullis/platform/audit/audited';
import { addressRuleOf } from '@portcullis/platform/config/config';
import type { Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import {
  openEndpoint,
  sealEndpointSecrets,
  type EndpointSecrets,
} from '@portcullis/platform/evaluation/stored-endpoint';
import type { AddressRule } from '@portcullis/platform/network/address-guard';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { checkHostOrThrow } from '@portcullis/platform/network/check-host';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { checkEndpointOrThrow, checkProxyOrThrow, mergeSecretsOrThrow } from './check-stored-endpoint.ts';
import {
  checkUnusedOrThrow,
  deleteEndpointRow,
  findEndpointOrThrow,
  insertEndpoint,
  loadEndpointPage,
  renderEndpoint,
  updateEndpointRow,
} from './endpoint-queries.ts';

interface EndpointParts extends Pick<Infrastructure, 'database' | 'encryption'> {
  readonly rule: AddressRule;
}

export function endpointRoutes({ database, encryption, config }: Infrastructure): BoundRoute[] {
  const parts = { database, encryption, rule: addressRuleOf(config) };
  return [
    bindListEndpoints,
    bindCreateEndpoint,
    bindParseCurl,
    bindGetEndpoint,
    bindUpdateEndpoint,
    bindDeleteEndpoint,
  ].map((bindRoute) => bindRoute(parts));
}

const bindListEndpoints = ({ database, encryption }: EndpointParts): BoundRoute =>
  bind(listGuardrailEndpoints, async ({ query }) => {
    const { rows, total } = await readConsistent(database, (moment) => loadEndpointPage(moment, query));
    const endpoints = rows.map((row) => renderEndpoint(row, encryption));
    return { data: { endpoints, total, limit: query.limit, offset: query.offset } };
  });

const bindParseCurl = (): BoundRoute =>
  bind(parseCurlCommand, ({ body }) => {
    const read = importCurl(body.curl_command);
    if (read.problems !== undefined)
      throw new GatewayError('bad_request', {
        problems: read.problems.map((rule) => ({ path: '/body/curl_command', rule })),
      });
    const { endpoint, shape, notes } = read.imported;
    return { data: { ...endpoint, shape, notes: [...notes] } };
  });

const bindGetEndpoint = ({ database, encryption }: EndpointParts): BoundRoute =>
  bind(getGuardrailEndpoint, async ({ params }) => ({
    data: renderEndpoint(await findEndpointOrThrow(database, params.id), encryption),
  }));

const nothing = { ...endpointDefaults, url: '', proxy_id: null };

const bindCreateEndpoint = ({ database, encryption, rule }: EndpointParts): BoundRoute =>
  bind(createGuardrailEndpoint, async (call) => {
    const { name } = call.body;
    const { fields, secrets } = applyChange(nothing, call.body, rule);
    const note = await checkPlaceOrThrow(database, fields, rule);
    const data = await audited(
      database,
      call,
      async (transaction) => {
        const id = await insertEndpoint(transaction, { ...fields, name });
        // Sealed for its row, whose id is known only now.
        const credentials = sealEndpointSecrets(id, secrets, encryption);
        if (credentials !== null) await updateEndpointRow(transaction, id, { credentials });
        return load(transaction, id, { encryption });
      },
      (after) => ({ event: 'guardrail.endpoint.created', resource: endpointResource(after), after }),
    ).catch((error: unknown) => refuseTakenName(error, name));
    return { data, message: note === undefined ? 'Endpoint created' : `Endpoint created. ${note}` };
  });

const bindUpdateEndpoint = ({ database, encryption, rule }: EndpointParts): BoundRoute =>
  bind(updateGuardrailEndpoint, async (call) => {
    const { id } = call.params;
    await checkPlaceOrThrow(database, call.body, rule);
    const { after } = await audited(
      database,
      call,
      async (transaction) => {
        const row = await findEndpointOrThrow(transaction, id);
        await checkUnusedOrThrow(transaction, id);
        const stored = { ...openEndpoint(row, encryption), proxy_id: row.proxy_id };
        const { fields, secrets } = applyChange(stored, call.body, rule);
        const credentials = sealEndpointSecrets(id, secrets, encryption);
        await updateEndpointRow(transaction, id, { ...fields, credentials });
        return {
          before: renderEndpoint(row, encryption),
          after: await load(transaction, id, { encryption }),
          details: { credentials_replaced: replacedSecrets(stored, secrets) },
        };
      },
      ({ details, ...change }) => ({
        event: 'guardrail.endpoint.updated',
        resource: endpointResource(change.after),
        details,
        ...change,
      }),
    ).catch((error: unknown) => refuseTakenName(error, call.body.name));
    return { data: after, message: 'Endpoint updated' };
  });

const bindDeleteEndpoint = ({ database, encryption }: EndpointParts): BoundRoute =>
  bind(deleteGuardrailEndpoint, async (call) => {
    await audited(
      database,
      call,
      async (transaction) => {
        const before = await load(transaction, call.params.id, { encryption });
        await checkUnusedOrThrow(transaction, before.id);
        await deleteEndpointRow(transaction, before.id);
        return before;
      },
      (before) => ({ event: 'guardrail.endpoint.deleted', resource: endpointResource(before), before }),
    );
    return { message: 'Endpoint deleted; its evaluations stay' };
  });

export const endpointResource = ({ id, name }: Pick<GuardrailEndpoint, 'id' | 'name'>) => ({
  type: 'guardrail_endpoint',
  id,
  name,
});

const load = async (from: Queryable, id: number, { encryption }: Pick<Infrastructure, 'encryption'>) =>
  renderEndpoint(await findEndpointOrThrow(from, id), encryption);

type StoredFields = EvaluationEndpointFields & { readonly proxy_id: number | null };

/** @throws {GatewayError} where the endpoint as changed would not be one */
function applyChange(stored: StoredFields, change: GuardrailEndpointChange, rule: AddressRule) {
  const whole = { ...stored, ...change };
  const secrets: EndpointSecrets = mergeSecretsOrThrow(stored, change, whole);
  checkEndpointOrThrow({ ...whole, ...secrets, custom_headers: { ...secrets.custom_headers } }, rule);
  const { api_key: _key, custom_headers: _headers, ...fields } = whole;
  return { fields, secrets };
}

/** Asks the database and name servers, so not while the configuration is locked. */
async function checkPlaceOrThrow(
  database: Queryable,
  { url, proxy_id: proxyId }: { readonly url?: string; readonly proxy_id?: number | null },
  rule: AddressRule,
): Promise<string | undefined> {
  await checkProxyOrThrow(database, proxyId);
  return url === undefined || !URL.canParse(url) ? undefined : checkHostOrThrow(url, rule, '/body/url');
}

/** Names of the secrets that came anew: masks look the same before and after. */
function replacedSecrets(before: StoredFields, after: EndpointSecrets): readonly string[] {
  const names = Object.keys({ ...before.custom_headers, ...after.custom_headers });
  return [
    ...(before.api_key === after.api_key ? [] : ['api_key']),
    ...names.filter((name) => before.custom_headers[name] !== after.custom_headers[name]),
  ];
}

function refuseTakenName(error: unknown, name: string | undefined): never {
  if (violatedConstraint(error, 'unique') === undefined) throw error;
  throw new GatewayError('conflict', { message: `There is an endpoint ${JSON.stringify(name)} already` });
}
