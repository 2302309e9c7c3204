import { LruMap } from '@portcullis/core/collections/lru-map';
import { addressRuleOf, type Config } from '../config/config.ts';
import { createGuardedFetch } from '../network/guarded-fetch.ts';
import type { OAuthProvider } from './oauth-provider.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';

/** A client for each provider, over connections that are shared and guarded. */
export interface ProviderClients extends AsyncDisposable {
  of(provider: OAuthProvider): ProviderClient;
  /** One that remembers nothing of the provider. */
  once(provider: OAuthProvider): ProviderClient;
}

const limits = { timeoutMs: 5_000, maxAnswerBytes: 1_048_576 };

/** Providers whose metadata is kept. */
const maxKept = 200;

export function createProviderClients(config: Config): ProviderClients {
  const { fetch, [Symbol.asyncDispose]: close } = createGuardedFetch(addressRuleOf(config), limits);
  const allowPlainHttp = config.ENVIRONMENT === 'development';
  const kept = new LruMap<ProviderClient>(maxKept);
  const once = (provider: OAuthProvider) => createProviderClient({ provider, fetch, allowPlainHttp });
  return {
    once,
    of(provider) {
      const known = kept.use(provider.key)?.value;
      if (known?.provider.version === provider.version) return known;
      const client = once(provider);
      kept.set(provider.key, client);
      return client;
    },
    [Symbol.asyncDispose]: close,
  };
}
