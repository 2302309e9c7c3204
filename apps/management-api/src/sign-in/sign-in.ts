import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { createEnvironmentProviders } from '@portcullis/platform/oauth/environment-providers';
import type { OAuthProvider } from '@portcullis/platform/oauth/oauth-provider';
import { createProviderClients, type ProviderClients } from '@portcullis/platform/oauth/provider-clients';
import { publicBaseOf } from '@portcullis/platform/config/public-base';
import { createStoredProviders } from '@portcullis/platform/oauth/stored-provider';

/** The providers with which users sign in: those of the environment, then those of the database. */
export interface SignIn extends AsyncDisposable {
  readonly clients: ProviderClients;
  names(): Promise<readonly string[]>;
  /** By name, in any case of letters. */
  findByName(name: string): Promise<OAuthProvider | undefined>;
  findByKey(key: string): Promise<OAuthProvider | undefined>;
}

type Parts = Pick<Infrastructure, 'config' | 'database' | 'encryption'>;

export function createSignIn({ config, database, encryption }: Parts): SignIn {
  const clients = createProviderClients(config);
  const stored = createStoredProviders(database, encryption, publicBaseOf(config));
  const ofEnvironment = createEnvironmentProviders(config);
  return {
    clients,
    async names() {
      const rows = await database.kysely
        .selectFrom('oauth_providers')
        .select('name')
        .where('enabled', '=', true)
        .where('sign_in', '=', true)
        .orderBy('name')
        .execute();
      return [...ofEnvironment, ...rows].map(({ name }) => name);
    },
    async findByName(name) {
      const own = ofEnvironment.find((provider) => provider.name === name.toLowerCase());
      return own ?? usable(await stored.findByName(name));
    },
    async findByKey(key) {
      const own = ofEnvironment.find((provider) => provider.key === key);
      return own ?? (/^\d+$/.test(key) ? usable(await stored.find(Number(key))) : undefined);
    },
    [Symbol.asyncDispose]: () => clients[Symbol.asyncDispose](),
  };
}

const usable = (provider: OAuthProvider | undefined): OAuthProvider | undefined =>
  provider?.enabled === true && provider.signIn ? provider : undefined;
