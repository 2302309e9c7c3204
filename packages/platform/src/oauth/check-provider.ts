import * as oauth from 'oauth4webapi';
import { describeProviderProblem } from './describe-provider-problem.ts';
import type { ProviderClient } from './provider-client.ts';
import type { ProviderServer } from './provider-server.ts';

export interface ProviderCheck {
  readonly name: 'metadata' | 'keys' | 'pkce' | 'credentials';
  readonly status: 'passed' | 'failed' | 'unknown';
  readonly message: string;
}

/** Asks a provider what a login would ask it, as far as that goes without a user. */
export async function checkProvider(client: ProviderClient): Promise<readonly ProviderCheck[]> {
  const metadata = await runCheck('metadata', async () => `The provider is ${(await client.server()).issuer}`);
  if (metadata.status === 'failed') return [metadata];
  const server = await client.server();
  return [metadata, ...(await checkKeys(client, server)), checkPkce(server), await checkCredentials(client)];
}

const runCheck = (name: ProviderCheck['name'], ask: () => Promise<string>): Promise<ProviderCheck> =>
  ask().then(
    (message) => ({ name, status: 'passed', message }),
    (error: unknown) => ({ name, status: 'failed', message: describeProviderProblem(error) }),
  );

async function checkKeys(client: ProviderClient, server: ProviderServer): Promise<ProviderCheck[]> {
  const { jwks_uri: url } = server;
  if (url === undefined) return [];
  const count = async (): Promise<string> => {
    const { keys } = Object(await client.readJson(url)) as { readonly keys?: unknown };
    if (!Array.isArray(keys) || keys.length === 0) throw new Error('The provider publishes no keys');
    return `The provider publishes ${keys.length} keys`;
  };
  return [await runCheck('keys', count)];
}

/** Many take it and do not say so. */
const checkPkce = ({ code_challenge_methods_supported: methods }: ProviderServer): ProviderCheck =>
  methods?.includes('S256') === true
    ? { name: 'pkce', status: 'passed', message: 'The provider takes PKCE with S256' }
    : { name: 'pkce', status: 'unknown', message: 'The provider does not say whether it takes PKCE with S256' };

/** A code that no provider has given: one that knows the client says that the code is wrong, and not that the client is. */
async function checkCredentials(client: ProviderClient): Promise<ProviderCheck> {
  const name = 'credentials';
  const secrets = { state: 'none', nonce: 'none', verifier: oauth.generateRandomCodeVerifier() };
  const callback = client.provider.callback ?? new URL('https://gateway.invalid/api/v1/oauth/callback');
  const brought = new URLSearchParams({
    code: 'no-such-code',
    state: secrets.state,
    iss: (await client.server()).issuer,
  });
  try {
    await client.exchange({ brought, secrets, callback });
    return { name, status: 'unknown', message: 'The provider took a code that it never gave' };
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) {
      if (error.error === 'invalid_grant') return { name, status: 'passed', message: 'The provider knows the client' };
      if (error.error === 'invalid_client' || error.error === 'unauthorized_client') {
        return { name, status: 'failed', message: `The provider refuses the client or its secret (${error.error})` };
      }
      return { name, status: 'unknown', message: `The provider answered ${error.error.slice(0, 100)}` };
    }
    if (error instanceof oauth.WWWAuthenticateChallengeError) {
      return { name, status: 'failed', message: 'The provider refuses the client or its secret' };
    }
    return { name, status: 'unknown', message: describeProviderProblem(error) };
  }
}
