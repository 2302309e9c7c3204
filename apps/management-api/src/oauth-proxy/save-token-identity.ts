import type { Database } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { tokenRuleOf } from '@portcullis/platform/oauth-proxy/oauth-settings';
import { checkIssuedToken, TokenNotForProxy } from '@portcullis/platform/oauth-upstream/check-issued-token';
import type { ProviderClient } from '@portcullis/platform/oauth/provider-client';
import { providerRefusal } from '@portcullis/platform/oauth/provider-refusal';
import type { Tokens } from '@portcullis/platform/oauth/tokens';
import type { ProxyServer } from './proxy-server.ts';

/**
 * Takes down what the provider calls the user in its access tokens, by which the proxy knows them: some call them otherwise there
 * than in the sign-in, as Entra does for each API.
 * @throws {GatewayError} `provider_failed` for a token that the proxy would not take; `unknown_sign_in_user` where the provider
 * calls another user here so
 */
export async function saveTokenIdentity(
  { kysely }: Database,
  client: ProviderClient,
  { settings }: ProxyServer,
  { accessToken }: Tokens,
  userId: number,
): Promise<void> {
  const { provider } = client;
  const { issuer, subject } = await checkIssuedToken(client, accessToken, tokenRuleOf(settings)).catch(
    (error: unknown) => {
      if (!(error instanceof TokenNotForProxy)) throw providerRefusal(provider.name, error);
      throw new GatewayError('provider_failed', { message: error.message });
    },
  );
  const name = { provider_key: provider.key, issuer, subject };
  await kysely
    .insertInto('user_identities')
    .columns(['user_id', 'provider_key', 'provider_id', 'provider_name', 'issuer', 'subject', 'email', 'name'])
    .expression((query) =>
      query
        .selectFrom('user_identities')
        .select(({ val }) => ['user_id', 'provider_key', 'provider_id', 'provider_name', val(issuer).as('issuer')])
        .select(({ val }) => [val(subject).as('subject'), 'email', 'name'])
        .where('user_id', '=', userId)
        .where('provider_key', '=', provider.key)
        .orderBy('last_login_at', 'desc')
        .limit(1),
    )
    .onConflict((conflict) => conflict.columns(['provider_key', 'issuer', 'subject']).doNothing())
    .execute();
  const found = await kysely
    .selectFrom('user_identities')
    .select('user_id')
    .where('provider_key', '=', name.provider_key)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  if (found?.user_id !== userId) throw new GatewayError('unknown_sign_in_user');
}
