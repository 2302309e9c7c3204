import type { Problem } from '@portcullis/contracts/envelope';
import {
  createOAuthProvider,
  deleteOAuthProvider,
  getOAuthProvider,
  listOAuthProviders,
  updateOAuthProvider,
  type OAuthProvider,
} from '@portcullis/contracts/routes/oauth-providers';
import { audited } from '@portcullis/platform/audit/audited';
import { addressRuleOf, type Config } from '@portcullis/platform/config/config';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { checkHostOrThrow } from '@portcullis/platform/network/check-host';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { createEnvironmentProviders } from '@portcullis/platform/oauth/environment-providers';
import { hostOfSecret, sealClientSecret, type OAuthProviderRow } from '@portcullis/platform/oauth/stored-provider';
import type { Sessions } from '@portcullis/platform/identity/sessions';
import { listSessionsOfProvider } from './session-queries.ts';
import {
  addressFields,
  changeProvider,
  completeProvider,
  providerProblems,
  type ProviderFields,
} from './provider-fields.ts';
import {
  deleteProvider,
  fieldsOf,
  insertProvider,
  loadProviderOrThrow,
  loadProviderPage,
  renderProvider,
  saveClientSecret,
  updateProvider,
} from './provider-queries.ts';

interface Parts extends Pick<Infrastructure, 'database' | 'encryption' | 'config'> {
  readonly sessions: Sessions;
}

export const oauthProviderRoutes = (parts: Parts): BoundRoute[] =>
  [bindList, bindCreate, bindGet, bindUpdate, bindDelete].map((bindRoute) => bindRoute(parts));

const bindList = ({ database, config }: Parts): BoundRoute =>
  bind(listOAuthProviders, async ({ query }) => {
    const { rows, total } = await readConsistent(database, (moment) => loadProviderPage(moment, query));
    const providers = rows.map((row) => renderProvider(row, config));
    return { data: { providers, total, limit: query.limit, offset: query.offset } };
  });

const bindGet = ({ database, config }: Parts): BoundRoute =>
  bind(getOAuthProvider, async ({ params }) => ({
    data: renderProvider(await loadProviderOrThrow(database, params.id), config),
  }));

const bindCreate = ({ database, encryption, config }: Parts): BoundRoute =>
  bind(createOAuthProvider, async (call) => {
    const fields = completeProvider(call.body);
    await checkProviderOrThrow(fields, config);
    const data = await audited(
      database,
      call,
      async (transaction) => {
        const row = await insertProvider(transaction, fields);
        const { client_secret: secret } = call.body;
        if (secret === undefined) return renderProvider(row, config);
        // Sealed for its row, whose id is known only now.
        const sealed = sealClientSecret(row, secret, encryption);
        return renderProvider(await saveClientSecret(transaction, row.id, sealed), config);
      },
      (after) => ({ event: 'oauth.provider.created', resource: resourceOf(after), after }),
    ).catch((error: unknown) => refuseTakenName(error, fields.name));
    return { data, message: 'OAuth provider created' };
  });

const bindUpdate = ({ database, encryption, config }: Parts): BoundRoute =>
  bind(updateOAuthProvider, async (call) => {
    const { id } = call.params;
    await checkProviderOrThrow(changeProvider(fieldsOf(await loadProviderOrThrow(database, id)), call.body), config);
    const { after } = await audited(
      database,
      call,
      async (transaction) => {
        const row = await loadProviderOrThrow(transaction, id);
        const fields = changeProvider(fieldsOf(row), call.body);
        refuseProblems(problemsOf(fields, config));
        const changed = await updateProvider(transaction, id, fields);
        const sealed = changedSecretOrThrow(row, changed, call.body.client_secret, (secret) =>
          sealClientSecret(changed, secret, encryption),
        );
        const stored = sealed === undefined ? changed : await saveClientSecret(transaction, id, sealed);
        return {
          before: renderProvider(row, config),
          after: renderProvider(stored, config),
          details: { client_secret_replaced: typeof call.body.client_secret === 'string' },
        };
      },
      ({ details, ...change }) => ({
        event: 'oauth.provider.updated',
        resource: resourceOf(change.after),
        details,
        ...change,
      }),
    ).catch((error: unknown) => refuseTakenName(error, call.body.name));
    return { data: after, message: 'OAuth provider updated' };
  });

const bindDelete = ({ database, config, sessions }: Parts): BoundRoute =>
  bind(deleteOAuthProvider, async (call) => {
    const { ended } = await audited(
      database,
      call,
      async (transaction) => {
        const before = renderProvider(await loadProviderOrThrow(transaction, call.params.id), config);
        const ended = await listSessionsOfProvider(transaction, before.id);
        await deleteProvider(transaction, before.id);
        return { before, ended };
      },
      ({ before, ended }) => ({
        event: 'oauth.provider.deleted',
        resource: resourceOf(before),
        before,
        details: { sessions_ended: ended.length },
      }),
    );
    for (const session of ended) await sessions.announceEnd(session);
    return { message: `OAuth provider deleted, and ${ended.length} sessions that began with it ended` };
  });

const resourceOf = ({ id, name }: Pick<OAuthProvider, 'id' | 'name'>) => ({
  type: 'oauth_provider',
  id,
  name,
});

/**
 * A secret was given for one host: a provider that moves to another one needs it again.
 * @returns what to store; undefined where the secret stays
 */
function changedSecretOrThrow(
  before: OAuthProviderRow,
  after: OAuthProviderRow,
  given: string | null | undefined,
  seal: (secret: string) => string,
): string | null | undefined {
  if (given === null) return null;
  if (given !== undefined) return seal(given);
  if (before.client_secret === null || hostOfSecret(before) === hostOfSecret(after)) return undefined;
  throw new GatewayError('bad_request', {
    message: 'The client secret was given for another host. Nothing was changed',
    problems: [{ path: '/body/client_secret', rule: 'must be sent again, for the provider is at another host now' }],
  });
}

const problemsOf = (fields: ProviderFields, config: Config): Problem[] => {
  const taken = createEnvironmentProviders(config).some(({ name }) => name === fields.name.toLowerCase());
  const rule = {
    ...addressRuleOf(config),
    allowPlainHttp: config.ENVIRONMENT === 'development',
    base: config.OAUTH_REDIRECT_BASE_URL ?? config.PUBLIC_URL,
  };
  return [
    ...providerProblems(fields, rule),
    ...(taken ? [{ path: '/body/name', rule: 'must not be that of a provider of the environment' }] : []),
  ];
};

function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
}

/** Asks name servers, so not while the configuration is locked. */
async function checkProviderOrThrow(fields: ProviderFields, config: Config): Promise<void> {
  refuseProblems(problemsOf(fields, config));
  for (const field of addressFields) {
    const url = fields[field];
    if (url !== null) await checkHostOrThrow(url, addressRuleOf(config), `/body/${field}`);
  }
}

function refuseTakenName(error: unknown, name: string | undefined): never {
  if (violatedConstraint(error, 'unique') === undefined) throw error;
  throw new GatewayError('conflict', { message: `There is an OAuth provider ${JSON.stringify(name)} already` });
}
