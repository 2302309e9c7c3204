import type { GuardrailCheckAction, GuardrailVerdict } from '@portcullis/contracts/guardrail-config';
import type { GuardrailOutcome } from '@portcullis/platform/guardrails/guardrail-client';
import type { GuardrailEntry } from '../snapshot/guardrail-entry.ts';

/** What one provider said of one side of an exchange, and what it came to. */
export interface Check {
  readonly guardrail: GuardrailEntry;
  readonly direction: 'request' | 'response';
  readonly outcome: GuardrailOutcome;
  readonly action: GuardrailCheckAction;
  /** Start of the text, masked; null unless its owner wants it. */
  readonly preview: string | null;
}

/**
 * The checks of an exchange, one for each provider and side: what it says of the parts of an answer adds up.
 * Those that come after the exchange is settled go to `late`.
 */
export class CheckLedger {
  readonly #late: (check: Check) => void;
  readonly #checks = new Map<string, Check>();
  #settled = false;

  constructor(late: (check: Check) => void) {
    this.#late = late;
  }

  get checks(): readonly Check[] {
    return [...this.#checks.values()];
  }

  add(check: Check): void {
    if (this.#settled) return this.#late(check);
    const key = `${check.guardrail.provider.id} ${check.direction}`;
    const known = this.#checks.get(key);
    this.#checks.set(key, known === undefined ? check : merge(known, check));
  }

  /** To be called once: what was found so far. */
  settle(): readonly Check[] {
    this.#settled = true;
    return this.checks;
  }
}

const verdicts: readonly GuardrailVerdict[] = ['safe', 'error', 'violation'];
const actions: readonly GuardrailCheckAction[] = ['pass', 'monitor', 'block'];

const strongest = <Value>(order: readonly Value[], a: Value, b: Value): Value =>
  order.indexOf(b) > order.indexOf(a) ? b : a;

function merge(known: Check, { outcome: added, action }: Check): Check {
  const { outcome } = known;
  return {
    ...known,
    action: strongest(actions, known.action, action),
    outcome: {
      verdict: strongest(verdicts, outcome.verdict, added.verdict),
      categories: [...new Set([...outcome.categories, ...added.categories])].slice(0, maxNames),
      scores: mergeScores(outcome.scores, added.scores),
      confidence: outcome.confidence === null ? added.confidence : Math.max(outcome.confidence, added.confidence ?? 0),
      rationale: outcome.rationale ?? added.rationale,
      tokens: outcome.tokens === null ? added.tokens : outcome.tokens + (added.tokens ?? 0),
      latencyMs: Math.max(outcome.latencyMs, added.latencyMs),
      cached: outcome.cached && added.cached,
      error: outcome.error ?? added.error,
    },
  };
}

const maxNames = 50;

function mergeScores(known: GuardrailOutcome['scores'], added: GuardrailOutcome['scores']) {
  const scores = new Map(Object.entries(known));
  for (const [name, score] of Object.entries(added)) {
    if (scores.has(name) || scores.size < maxNames) scores.set(name, Math.max(score, scores.get(name) ?? 0));
  }
  return Object.fromEntries(scores);
}
