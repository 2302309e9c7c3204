import { compilePolicies } from '@portcullis/core/policy/compile-policies';
import { parsePolicyFile } from '@portcullis/core/policy/parse-policy-file';
import type { Policy, PolicyPlan } from '@portcullis/core/policy/policy';
import type { Logger } from '@portcullis/platform/log/logger';
import type { PolicyRow, ProxyPolicyRow } from './snapshot-rows.ts';

interface StoredPolicy {
  readonly document: unknown;
  readonly text: string;
  /** Parsed when a proxy asks for it first; null when the document is not valid. */
  policy?: Policy | null;
}

interface KnownPlan {
  readonly policies: readonly Policy[];
  readonly plan: PolicyPlan;
}

/**
 * Parses and compiles what proxies use: each policy once per document, and one plan per set of
 * policies and their modes, shared by all proxies with the same set. Reading hundreds of rules takes
 * long enough to be felt by requests under way, so nothing is read that nobody uses, and a change of
 * one policy leaves the others and the plans without it as they are.
 */
export class PolicyPlans {
  readonly #log: Logger;
  readonly #onPlan: (known: boolean) => void;
  #rows: readonly PolicyRow[] = [];
  #stored: ReadonlyMap<string, StoredPolicy> = new Map();
  readonly #plans = new Map<string, KnownPlan>();
  /** The plans that were asked for since the last update. */
  readonly #asked = new Set<string>();

  /** @param onPlan told of every set of policies whether it was compiled already */
  constructor(log: Logger, onPlan: (known: boolean) => void) {
    this.#log = log;
    this.#onPlan = onPlan;
  }

  /**
   * Takes the active policies over before plans are asked for. Forgets the plans that nobody asked
   * for since the last time, and those with a policy that changed or went.
   */
  update(rows: readonly PolicyRow[]): void {
    if (rows !== this.#rows) {
      const before = this.#stored;
      this.#stored = new Map(rows.map((row) => [row.name, keepUnchanged(before.get(row.name), row.document)]));
      this.#rows = rows;
    }
    const current = new Set(Array.from(this.#stored.values(), ({ policy }) => policy));
    for (const [key, { policies }] of this.#plans) {
      if (!this.#asked.has(key) || !policies.every((policy) => current.has(policy))) this.#plans.delete(key);
    }
    this.#asked.clear();
  }

  /** The names of those that are active and valid, in their order, and their plan; undefined when there are none. */
  planFor(assigned: readonly ProxyPolicyRow[]): { names: readonly string[]; plan: PolicyPlan | undefined } {
    const used = assigned.flatMap(({ policy_name: name, mode }) => {
      const policy = this.#policy(name);
      return policy === undefined ? [] : [{ name, mode, policy }];
    });
    const names = used.map(({ name }) => name);
    if (used.length === 0) return { names, plan: undefined };

    const shadow = used.filter(({ mode }) => mode === 'shadow').map(({ name }) => name);
    const key = JSON.stringify([names, shadow]);
    this.#asked.add(key);
    const known = this.#plans.get(key);
    this.#onPlan(known !== undefined);
    if (known !== undefined) return { names, plan: known.plan };
    const policies = used.map(({ policy }) => policy);
    const plan = compilePolicies(policies, new Set(shadow));
    this.#plans.set(key, { policies, plan });
    return { names, plan };
  }

  /** A stored policy was valid when it was saved; one that no longer parses is left out and reported. */
  #policy(name: string): Policy | undefined {
    const stored = this.#stored.get(name);
    if (stored === undefined) return undefined;
    if (stored.policy === undefined) {
      const { policy, problems } = parsePolicyFile(stored.document);
      stored.policy = policy ?? null;
      if (policy === undefined) this.#log.error('stored policy is not valid', { policy: name, problems });
    }
    return stored.policy ?? undefined;
  }
}

function keepUnchanged(before: StoredPolicy | undefined, document: unknown): StoredPolicy {
  const text = JSON.stringify(document);
  return before?.text === text ? before : { document, text };
}
