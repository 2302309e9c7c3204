import { hash } from 'node:crypto';
import { LruMap } from '@portcullis/core/collections/lru-map';
import type { OAuthProvider } from '../oauth/oauth-provider.ts';
import type { ProviderClients } from '../oauth/provider-clients.ts';
import type { TokenFacts } from './token-facts.ts';

/** How a provider is asked about a token that says nothing itself. */
export type IntrospectionMethod = 'introspection' | 'userinfo';

/** Asks providers about tokens, and remembers what they said for a while. */
export interface TokenIntrospector {
  /** Undefined for a token that is not good; the answer itself where it is remembered. @throws when the provider gives no answer */
  ask(provider: OAuthProvider, question: IntrospectionMethod, token: string): Answered | Promise<Answered>;
}

type Answered = TokenFacts | undefined;

interface Remembered {
  readonly facts: Answered;
  readonly untilMs: number;
}

const maxKept = 10_000;
/** How long a token that was taken back goes on being good here, at most. */
const goodMs = 60_000;
/** How long one that was not good is not asked about again. */
const badMs = 10_000;
/** Questions at once to one provider: whoever sends made-up tokens reaches it no faster. */
const maxAsked = 32;
const maxTokenLength = 16_384;

/** Too many questions are under way already. */
export class TooManyIntrospections extends Error {
  override name = 'TooManyIntrospections';
}

/** @param now milliseconds since the epoch */
export function createTokenIntrospector(clients: ProviderClients, now: () => number = Date.now): TokenIntrospector {
  const remembered = new LruMap<Remembered>(maxKept);
  const asked = new Map<string, Promise<Answered>>();
  const underWay = new Map<string, number>();

  const remember = (name: string, facts: Answered): Answered => {
    const untilMs = facts === undefined ? now() + badMs : Math.min(now() + goodMs, facts.expiresAtMs);
    remembered.set(name, { facts, untilMs });
    return facts;
  };

  const ask = async (provider: OAuthProvider, question: IntrospectionMethod, token: string): Promise<Answered> => {
    const { key } = provider;
    const count = underWay.get(key) ?? 0;
    if (count >= maxAsked) throw new TooManyIntrospections();
    underWay.set(key, count + 1);
    try {
      const answer = await clients.of(provider).ask(question, token);
      const expiresAtMs = answer?.expiresAtMs ?? Number.POSITIVE_INFINITY;
      return answer === undefined || !(expiresAtMs > now()) ? undefined : { ...answer, expiresAtMs };
    } finally {
      underWay.set(key, (underWay.get(key) ?? 1) - 1);
    }
  };

  return {
    ask(provider, question, token) {
      if (token.length > maxTokenLength) return undefined;
      // The token itself is not kept.
      const name = hash('sha256', `${provider.key} ${provider.version} ${question} ${token}`);
      const known = remembered.use(name)?.value;
      if (known !== undefined && known.untilMs > now()) return known.facts;
      const same = asked.get(name);
      if (same !== undefined) return same;
      const answer = ask(provider, question, token)
        .then((facts) => remember(name, facts))
        .finally(() => asked.delete(name));
      asked.set(name, answer);
      return answer;
    },
  };
}
