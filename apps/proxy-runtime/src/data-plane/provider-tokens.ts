import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Logger } from '@portcullis/platform/log/logger';
import { createKeyWatch } from '@portcullis/platform/oauth-upstream/key-watch';
import { createTokenIntrospector } from '@portcullis/platform/oauth-upstream/token-introspector';
import { createProviderClients } from '@portcullis/platform/oauth/provider-clients';
import type { CurrentSnapshot } from '../snapshot/current-snapshot.ts';
import type { ProviderTokens } from '../identity/check-provider-token.ts';

export interface ProviderTokensPart extends ProviderTokens, AsyncDisposable {
  start(): void;
}

/** Keeps the keys of those providers whose tokens some proxy forwards. */
export function createProviderTokens(
  { config }: Infrastructure,
  current: CurrentSnapshot,
  log: Logger,
): ProviderTokensPart {
  const clients = createProviderClients(config);
  const providers = () => {
    const { proxies, oauth } = current.value;
    const ids = new Set([...proxies.values()].flatMap((proxy) => proxy.oauth?.upstream?.providerId ?? []));
    return [...ids].flatMap((id) => oauth.providers.get(id) ?? []);
  };
  const keys = createKeyWatch({ clients, log, providers });
  return {
    keys,
    questions: createTokenIntrospector(clients),
    start: () => keys.start(),
    async [Symbol.asyncDispose]() {
      await keys[Symbol.asyncDispose]();
      await clients[Symbol.asyncDispose]();
    },
  };
}
