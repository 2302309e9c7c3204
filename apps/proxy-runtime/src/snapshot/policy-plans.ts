import { proxyTypes } from '@portcullis/contracts/records';
import { compileCooperatively, compilePolicies } from '@portcullis/core/policy/plan/compile-policies';
import { parsePolicyFile } from '@portcullis/core/policy/file/parse-policy-file';
import type { Policy, PolicyPlan, ScanContext } from '@portcullis/core/policy/policy';
import { runTimeSliced } from '@portcullis/platform/event-loop/run-time-sliced';
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
  /** Those of them that were compiled ahead, so that nobody has found them yet. */
  readonly #ahead = new Set<string>();

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

  /** Does ahead what the same calls of `planFor` would do at once, and lets the event loop turn meanwhile. */
  async prepare(assigned: Iterable<readonly ProxyPolicyRow[]>): Promise<void> {
    for (const policies of assigned) {
      try {
        await runTimeSliced(this.#prepareOne(policies));
      } catch {
        // The call that asks for the plan says what is wrong with it.
      }
    }
  }

  *#prepareOne(assigned: readonly ProxyPolicyRow[]): Generator<undefined, void> {
    for (const { policy_name: name } of assigned) {
      const stored = this.#stored.get(name);
      if (stored !== undefined && stored.policy === undefined) yield* readRules(stored.document);
    }
    const { policies, shadow, key } = this.#use(assigned);
    if (policies.length === 0 || this.#plans.has(key)) return;
    const plan = yield* compileCooperatively(policies, new Set(shadow));
    yield* readFirst(plan);
    this.#plans.set(key, { policies, plan });
    this.#ahead.add(key);
  }

  /** The names of those that are active and valid, in their order, and their plan; undefined when there are none. */
  planFor(assigned: readonly ProxyPolicyRow[]): { names: readonly string[]; plan: PolicyPlan | undefined } {
    const { names, policies, shadow, key } = this.#use(assigned);
    if (policies.length === 0) return { names, plan: undefined };

    const known = this.#plans.get(key);
    this.#onPlan(known !== undefined && !this.#ahead.delete(key));
    if (known !== undefined) return { names, plan: known.plan };
    const plan = compilePolicies(policies, new Set(shadow));
    this.#plans.set(key, { policies, plan });
    return { names, plan };
  }

  /** What a set of assigned policies comes to, and by what its plan is known. */
  #use(assigned: readonly ProxyPolicyRow[]) {
    const used = assigned.flatMap(({ policy_name: name, mode }) => {
      const policy = this.#policy(name);
      return policy === undefined ? [] : [{ name, mode, policy }];
    });
    const names = used.map(({ name }) => name);
    const shadow = used.filter(({ mode }) => mode === 'shadow').map(({ name }) => name);
    const key = JSON.stringify([names, shadow]);
    this.#asked.add(key);
    return { names, shadow, key, policies: used.map(({ policy }) => policy) };
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

/** Long enough to be read as most texts are. */
const firstText = ' '.repeat(512);

/** What texts of one kind need is made with the first of them, which need not be one that somebody waits for. */
function* readFirst(plan: PolicyPlan): Generator<undefined, void> {
  for (const direction of ['request', 'response'] as const) {
    for (const protocol of proxyTypes) {
      plan.scan(firstText, { direction, protocol, role: usualRole(direction, protocol) });
      yield;
    }
  }
}

/** What speaks most: rules that ask for a role are in or out of what is laid out. */
function usualRole(direction: ScanContext['direction'], protocol: ScanContext['protocol']): ScanContext['role'] {
  if (protocol === 'llm') return direction === 'request' ? 'user' : 'assistant';
  return direction === 'request' ? undefined : 'tool';
}

/** Reads a document rule by rule: what is known of its patterns makes reading all of it short. */
function* readRules(document: unknown): Generator<undefined, void> {
  if (typeof document !== 'object' || document === null || !('rules' in document)) return;
  for (const rule of Array.isArray(document.rules) ? (document.rules as unknown[]) : []) {
    parsePolicyFile({ ...document, rules: [rule] });
    yield;
  }
}

function keepUnchanged(before: StoredPolicy | undefined, document: unknown): StoredPolicy {
  const text = JSON.stringify(document);
  return before?.text === text ? before : { document, text };
}
