import { hash } from 'node:crypto';
import { LruMap } from '@portcullis/core/collections/lru-map';
import type { PolicyPlan } from '@portcullis/core/policy/policy';
import type { TextContext } from './text-context.ts';

/** Shorter texts are read as fast as they are looked up. */
export const shortestRemembered = 2_048;

/** Texts that are remembered, of all plans together: some five megabytes. */
const mostTexts = 32_768;

/**
 * Long texts in which a plan found nothing, as digests, in this process: clients send the whole conversation with every turn.
 * A text counts for the same plan, place and facts alone, whatever its rules ask about.
 */
export class CleanTextDigests {
  readonly #texts: LruMap<true>;
  readonly #numbers = new WeakMap<PolicyPlan, number>();
  #plans = 0;

  constructor(most = mostTexts) {
    this.#texts = new LruMap(most);
  }

  keyOf(plan: PolicyPlan, text: string, context: TextContext): string {
    const { direction, protocol, origins, role, tool, model, path, place } = context;
    const facts = JSON.stringify([this.#numberOf(plan), direction, protocol, origins, role, tool, model, path, place]);
    // UTF-8 has one character for all halves of surrogate pairs, which rules tell apart.
    const said = text.isWellFormed() ? `\n${text}` : `\r${JSON.stringify(text)}`;
    return hash('sha256', `${facts}${said}`, 'base64url');
  }

  has(key: string | undefined): boolean {
    return key !== undefined && this.#texts.use(key) !== undefined;
  }

  add(key: string): void {
    this.#texts.set(key, true);
  }

  #numberOf(plan: PolicyPlan): number {
    const known = this.#numbers.get(plan);
    if (known !== undefined) return known;
    this.#plans += 1;
    this.#numbers.set(plan, this.#plans);
    return this.#plans;
  }
}

/** Of all requests of this process. */
export const cleanTextDigests = new CleanTextDigests();
