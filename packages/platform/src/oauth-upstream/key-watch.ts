import type { Logger } from '../log/logger.ts';
import { problemText } from '../errors/problem.ts';
import { runEvery, type Repeated } from '../event-loop/run-every.ts';
import type { OAuthProvider } from '../oauth/oauth-provider.ts';
import type { ProviderClients } from '../oauth/provider-clients.ts';
import { openProviderKeys, type ProviderKeys } from './provider-keys.ts';

/** The keys with which providers sign, read again and again beside the traffic. */
export interface KeyWatch extends AsyncDisposable {
  start(): void;
  /** What is known now; undefined before the provider has first answered, or a day after it last did. */
  find(provider: OAuthProvider): ProviderKeys | undefined;
  /**
   * Reads them now, for a token whose key is not among them; not again before a while, since anyone can name a key.
   * @returns what is known then
   */
  learn(provider: OAuthProvider): Promise<ProviderKeys | undefined>;
}

interface KeyWatchParts {
  readonly clients: ProviderClients;
  readonly log: Logger;
  /** Those whose tokens are forwarded. */
  readonly providers: () => readonly OAuthProvider[];
}

interface Known {
  readonly version: string;
  keys: ProviderKeys | undefined;
  readAtMs: number;
  askedAtMs: number;
  reading: Promise<void> | undefined;
  failing: boolean;
}

const freshMs = 300_000;
const lookEveryMs = 5_000;
/** Between two readings for the sake of tokens, and after one that failed. */
const coolMs = 10_000;
/** How long keys count whose provider gives no answer. */
const keptMs = 86_400_000;

const unread: Omit<Known, 'version'> = {
  keys: undefined,
  readAtMs: Number.NEGATIVE_INFINITY,
  askedAtMs: Number.NEGATIVE_INFINITY,
  reading: undefined,
  failing: false,
};

export function createKeyWatch({ clients, log, providers }: KeyWatchParts): KeyWatch {
  const known = new Map<string, Known>();

  const of = ({ key, version }: OAuthProvider): Known => {
    const found = known.get(key);
    if (found?.version === version) return found;
    const fresh = { ...unread, version };
    known.set(key, fresh);
    return fresh;
  };

  const read = (provider: OAuthProvider): Promise<void> => {
    const entry = of(provider);
    entry.reading ??= readKeys(clients, provider)
      .then((keys) => {
        Object.assign(entry, { keys, readAtMs: performance.now(), failing: false });
      })
      .catch((error: unknown) => {
        if (!entry.failing)
          log.warn('The keys of a provider could not be read', {
            provider: provider.name,
            problem: problemText(error),
          });
        entry.failing = true;
      })
      .finally(() => {
        entry.reading = undefined;
        entry.askedAtMs = performance.now();
      });
    return entry.reading;
  };

  const look = async (): Promise<void> => {
    const wanted = providers();
    const keys = new Set(wanted.map(({ key }) => key));
    for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
    const nowMs = performance.now();
    const due = wanted.filter((provider) => {
      const { readAtMs, askedAtMs } = of(provider);
      return nowMs - readAtMs > freshMs && nowMs - askedAtMs > coolMs;
    });
    await Promise.all(due.map(read));
  };
  let looking: Repeated | undefined;

  const find = (provider: OAuthProvider): ProviderKeys | undefined => {
    const { keys, readAtMs } = of(provider);
    return performance.now() - readAtMs > keptMs ? undefined : keys;
  };
  return {
    start: () => void (looking = runEvery(look, { intervalMs: lookEveryMs, onFault: () => {} })),
    find,
    async learn(provider) {
      const { reading, askedAtMs } = of(provider);
      if (reading !== undefined || performance.now() - askedAtMs > coolMs) await read(provider);
      return find(provider);
    },
    [Symbol.asyncDispose]: async () => looking?.[Symbol.asyncDispose](),
  };
}

/** Undefined where the provider publishes none: its tokens are signed for nobody else. */
async function readKeys(clients: ProviderClients, provider: OAuthProvider): Promise<ProviderKeys | undefined> {
  const client = clients.of(provider);
  const { issuer, jwks_uri: url } = await client.server();
  return url === undefined ? undefined : openProviderKeys(issuer, await client.readJson(url));
}
