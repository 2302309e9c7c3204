import type { GuardrailVerdict } from '@portcullis/contracts/guardrail-config';
import { LruMap } from '@portcullis/core/collections/lru-map';
import { CircuitBreaker } from '@portcullis/core/resilience/circuit-breaker';
import { hash } from 'node:crypto';
import { Agent } from 'undici';
import type { AddressRule } from '../network/address-guard.ts';
import { createGuardedConnector } from '../network/guarded-connector.ts';
import { problemText } from '../errors/problem.ts';
import { createJudge, unable, type Judgement } from './create-judge.ts';
import { harmless, type GuardrailResult } from './adapters/guardrail-adapter.ts';
import type { GuardrailQuestion } from './adapters/guardrail-question.ts';
import type { LocalModels } from './local-models/local-models.ts';
import type { OpenGuardrail } from './stored-provider.ts';

/** What asking a provider came to. */
export interface GuardrailOutcome extends Omit<GuardrailResult, 'flagged'> {
  readonly verdict: GuardrailVerdict;
  readonly latencyMs: number;
  /** The same text had been judged a moment before. */
  readonly cached: boolean;
  /** Why there is no verdict, for a person; never the text, never credentials. */
  readonly error: string | null;
}

/** Asks guardrail providers, over connections that are kept. */
export interface GuardrailClient extends AsyncDisposable {
  /**
   * Never rejects: anything that keeps a provider from judging is an outcome with the verdict `error`, and so is
   * a signal that aborts.
   */
  ask(provider: OpenGuardrail, question: GuardrailQuestion, options?: AskOptions): Promise<GuardrailOutcome>;
  /** Forgets what is known of all other versions of providers. */
  keepOnly(versions: ReadonlySet<string>): void;
}

interface AskOptions {
  readonly signal?: AbortSignal;
  /** Asks, even if an answer about the text, or the provider's state, is known. */
  readonly fresh?: boolean;
}

/** Connections to one provider. */
const connections = 32;
/** Questions to one provider that wait for their answers; what comes beyond them is not asked. */
const maxInFlight = 256;
/** Verdicts that are kept, and for how long. */
const [maxKept, keptMs] = [2_000, 60_000];
const breakerRule = { maxFailures: 5, restMs: 15_000 };

interface ProviderState {
  readonly breaker: CircuitBreaker;
  inFlight: number;
}

/** @param models those of this process; the client does not end them */
export function createGuardrailClient(rule: AddressRule, models?: LocalModels): GuardrailClient {
  const connectTimeoutMs = 10_000;
  const agent = new Agent({ connections, connect: createGuardedConnector({ ...rule, connectTimeoutMs }) });
  const states = new Map<string, ProviderState>();
  /** What providers said of texts a moment ago, by a hash of the text: the text itself is not kept. */
  const cache = new LruMap<{ readonly outcome: GuardrailOutcome; readonly untilMs: number }>(maxKept);

  const stateOf = ({ version }: OpenGuardrail): ProviderState => {
    let state = states.get(version);
    if (state === undefined)
      states.set(version, (state = { breaker: new CircuitBreaker(breakerRule, () => performance.now()), inFlight: 0 }));
    return state;
  };

  const judge = createJudge(agent, models);

  return {
    async ask(provider, question, { signal, fresh = false } = {}) {
      const key = hash('sha256', provider.version + JSON.stringify(question), 'base64url');
      const known = fresh ? undefined : cache.use(key)?.value;
      if (known !== undefined && known.untilMs > performance.now()) {
        return { ...known.outcome, cached: true, latencyMs: 0 };
      }
      const state = stateOf(provider);
      if (state.inFlight >= maxInFlight) return notAsked(`${maxInFlight} questions wait for this provider already`);
      if (!fresh && !state.breaker.admits())
        return notAsked('The provider failed again and again, its circuit is open');

      const startedAt = performance.now();
      state.inFlight += 1;
      const judgement = await judge(provider, question, signal).catch((error: unknown) => unable(problemText(error)));
      state.inFlight -= 1;
      updateBreaker(state.breaker, judgement, signal);
      const outcome = outcomeOf(judgement, performance.now() - startedAt);
      if (outcome.verdict !== 'error') cache.set(key, { outcome, untilMs: performance.now() + keptMs });
      return outcome;
    },

    keepOnly(versions) {
      for (const version of states.keys()) if (!versions.has(version)) states.delete(version);
    },

    async [Symbol.asyncDispose]() {
      await agent.destroy();
    },
  };
}

function updateBreaker(breaker: CircuitBreaker, { problem }: Judgement, signal: AbortSignal | undefined): void {
  if (problem === null) breaker.succeeded();
  else if (signal?.aborted === true) breaker.gaveUp();
  else breaker.failed();
}

/** A violation in one part counts regardless of the others; safe is only what was judged as a whole. */
function outcomeOf({ flagged, problem, whole, ...reading }: Judgement, latencyMs: number): GuardrailOutcome {
  const common = { ...reading, latencyMs, cached: false };
  if (flagged) return { ...common, verdict: 'violation', error: null };
  const error = problem ?? (whole ? null : 'The text is longer than the provider can be asked about');
  return { ...common, verdict: error === null ? 'safe' : 'error', error };
}

function notAsked(error: string): GuardrailOutcome {
  const { flagged: _flagged, ...nothing } = harmless;
  return { ...nothing, verdict: 'error', latencyMs: 0, cached: false, error };
}
