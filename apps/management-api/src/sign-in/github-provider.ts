import * as oauth from 'oauth4webapi';
import { buildAuthorizationUrl, exchangeCode } from './authorization-code.ts';
import type { ProviderAccess, SignInProvider } from './sign-in-provider.ts';

/** GitHub, or a GitHub Enterprise Server: OAuth 2 without id tokens, with the addresses of the user at the API. */
export function createGithubProvider(access: ProviderAccess): SignInProvider {
  const client = { client_id: access.clientId };
  const origin = access.issuer.origin;
  const server: oauth.AuthorizationServer = {
    issuer: `${origin}/login/oauth`,
    authorization_endpoint: `${origin}/login/oauth/authorize`,
    token_endpoint: `${origin}/login/oauth/access_token`,
  };
  const api = origin === 'https://github.com' ? 'https://api.github.com' : `${origin}/api/v3`;
  const emailsUrl = `${api}/user/emails`;

  return {
    name: access.name,
    callback: access.callback,

    authorizationUrl: async (ticket) => buildAuthorizationUrl(access, server, ticket, { scope: 'user:email' }),

    async findVerifiedEmail(brought, ticket) {
      const authentication = oauth.ClientSecretPost(access.clientSecret.reveal());
      const response = await exchangeCode(access, server, authentication, brought, ticket);
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
      const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${tokens.access_token}` };
      const answer = await access.fetch(emailsUrl, { method: 'GET', headers });
      if (answer.status !== 200)
        throw new Error(`The provider answered ${answer.status} for the addresses of the user`);
      return primaryEmailOf(await answer.json());
    },
  };
}

interface GithubEmail {
  readonly email: string;
  readonly primary: boolean;
  readonly verified: boolean;
}

const primaryEmailOf = (addresses: unknown): string | undefined => {
  if (!Array.isArray(addresses)) throw new Error('The provider did not list the addresses of the user');
  return addresses.filter(isGithubEmail).find(({ primary, verified }) => primary && verified)?.email;
};

const isGithubEmail = (value: unknown): value is GithubEmail =>
  typeof value === 'object' &&
  value !== null &&
  'email' in value &&
  typeof value.email === 'string' &&
  'primary' in value &&
  typeof value.primary === 'boolean' &&
  'verified' in value &&
  typeof value.verified === 'boolean';
