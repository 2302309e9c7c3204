import { createHash } from 'node:crypto';
import type { GuardrailQuestion } from './adapters/guardrail-question.ts';
import type { OpenGuardrail } from './stored-provider.ts';

const maxEntries = 2_000;
const keepMs = 60_000;

/** What providers said of texts a moment ago, by a hash of the text: the text itself is not kept. */
export class VerdictCache<Verdict> {
  readonly #nowMs: () => number;
  /** Oldest first. */
  readonly #entries = new Map<string, { readonly verdict: Verdict; readonly untilMs: number }>();

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  find(key: string): Verdict | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.untilMs > this.#nowMs() ? entry.verdict : undefined;
  }

  keep(key: string, verdict: Verdict): void {
    this.#entries.delete(key);
    this.#entries.set(key, { verdict, untilMs: this.#nowMs() + keepMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxEntries && oldest !== undefined) this.#entries.delete(oldest);
  }
}

export const verdictKey = ({ version }: OpenGuardrail, question: GuardrailQuestion): string =>
  createHash('sha256').update(version).update(JSON.stringify(question)).digest('base64url');
