import type { Finding } from './findings.ts';
import type { Ruling } from './replay.ts';
import type { Task } from './tasks.ts';

/** What one policy made of everything that an agent sent for its tasks. */
export interface Verdict {
  readonly policy: string;
  /** Requests that were refused, or whose answers did not come as they do without a policy. */
  readonly blocked: number;
  readonly requests: number;
  /** Each rule at each place once, with the task it was found in first. */
  readonly findings: readonly (Finding & { readonly task: Task['name'] })[];
}

/** What is redacted changes the length of a request, and with it the tokens that are counted. */
const withoutNumbers = (text: string): string => text.replaceAll(/\d+/g, '0');

/** Adds up what one policy made of an agent's requests. */
export class Ledger {
  readonly #policy: string;
  readonly #findings = new Map<string, Verdict['findings'][number]>();
  #requests = 0;
  #blocked = 0;

  constructor(policy: string) {
    this.#policy = policy;
  }

  /** @param expected the answer to the same request without a policy */
  add(task: Task['name'], { status, findings, answer }: Ruling, expected: string): void {
    this.#requests += 1;
    if (status === 403 || withoutNumbers(answer) !== withoutNumbers(expected)) this.#blocked += 1;
    for (const finding of findings) {
      const name = `${finding.rule} ${finding.location}`;
      if (!this.#findings.has(name)) this.#findings.set(name, { ...finding, task });
    }
  }

  verdict(): Verdict {
    return {
      policy: this.#policy,
      blocked: this.#blocked,
      requests: this.#requests,
      findings: [...this.#findings.values()],
    };
  }
}
