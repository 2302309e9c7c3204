import { proxyTypes } from '@portcullis/contracts/records';
import { compileCooperatively } from '@portcullis/core/policy/compile/compile-policies';
import type { Policy, PolicyPlan, ScanContext } from '@portcullis/core/policy/policy';
import { runTimeSliced } from '../event-loop/run-time-sliced.ts';
import { problemText } from '../errors/problem.ts';
import type { Logger } from '../log/logger.ts';
import { parsePolicyInSlices } from './parse-policy-in-slices.ts';
import type { PolicyAnalyst } from './policy-analyst.ts';
import type { AssignedPolicy, PolicyRow } from './policy-source.ts';

interface StoredPolicy {
  readonly document: unknown;
  readonly text: string;
  /** Undefined until it has been read; null when the document is not valid. */
  policy?: Policy | null;
}

type KnownPlan = { readonly policies: readonly Policy[] } & (
  | { readonly plan: PolicyPlan; readonly fault?: never }
  | { readonly fault: unknown; readonly plan?: never }
);

/** The names of those policies of a set that are active and valid, in their order, and their plan; undefined when there are none. */
export interface FoundPlan {
  readonly names: readonly string[];
  readonly plan: PolicyPlan | undefined;
}

/** Documents that come to more characters than this are analysed in a thread of their own. */
const maxTextBesideTraffic = 8_192;

/**
 * Parses and compiles what a data plane uses: each policy once per document, and one plan per set of
 * policies and their modes, shared by all that have the same set. That takes long, so who asks for a plan is never
 * kept waiting: `find` answers what is there, `makeMissing` makes the rest. Nothing is read that is not used, and a
 * change of one policy leaves the others and the plans without it as they are.
 */
export class PolicyPlans {
  readonly #log: Logger;
  readonly #analyst: Pick<PolicyAnalyst, 'analyse'>;
  readonly #onPlan: (known: boolean) => void;
  #rows: readonly PolicyRow[] = [];
  #stored: ReadonlyMap<string, StoredPolicy> = new Map();
  readonly #plans = new Map<string, KnownPlan>();
  /** The plans that were asked for since the last update. */
  readonly #asked = new Set<string>();
  /** The sets that were asked for in vain since the last update. */
  readonly #missing = new Map<string, readonly AssignedPolicy[]>();
  /** Plans that are new, so that no request has found them yet. */
  readonly #new = new Set<string>();

  /** @param onPlan told of every set of policies whether it was compiled already */
  constructor(log: Logger, analyst: Pick<PolicyAnalyst, 'analyse'>, onPlan: (known: boolean) => void) {
    this.#log = log;
    this.#analyst = analyst;
    this.#onPlan = onPlan;
  }

  /** Whether a plan was asked for since the last update that has to be made. */
  get isIncomplete(): boolean {
    return this.#missing.size > 0;
  }

  /**
   * Takes the active policies over before plans are asked for. Forgets the plans that were not asked
   * for since the last time, and those with a policy that changed or went.
   */
  update(rows: readonly PolicyRow[]): void {
    if (rows !== this.#rows) {
      const before = this.#stored;
      this.#stored = new Map(rows.map((row) => [row.name, keepUnchanged(before.get(row.name), row.document)]));
      this.#rows = rows;
    }
    for (const [key, { policies }] of this.#plans) {
      if (!this.#asked.has(key) || !this.#areCurrent(policies)) this.#plans.delete(key);
    }
    this.#asked.clear();
    this.#missing.clear();
  }

  /** The plan of a set of policies; undefined when it has to be made first. @throws what is wrong with it */
  find(assigned: readonly AssignedPolicy[]): FoundPlan | undefined {
    if (this.#unread(assigned).length > 0) return this.#miss(assigned);
    const { names, policies, key } = this.#use(assigned);
    if (policies.length === 0) return { names, plan: undefined };
    const known = this.#plans.get(key);
    if (known === undefined) return this.#miss(assigned);
    this.#onPlan(!this.#new.delete(key));
    if (known.plan === undefined) throw known.fault;
    return { names, plan: known.plan };
  }

  /** Makes the plans that were asked for in vain, while the event loop turns. False when there are none. */
  async makeMissing(): Promise<boolean> {
    const sets = [...this.#missing.values()];
    const unread = new Set(sets.flatMap((assigned) => this.#unread(assigned)));
    const characters = [...unread].reduce((sum, { text }) => sum + text.length, 0);
    if (characters > maxTextBesideTraffic) {
      for (const { document } of unread) await this.#analyst.analyse(document);
    }
    for (const assigned of sets) await this.#make(assigned);
    return sets.length > 0;
  }

  async #make(assigned: readonly AssignedPolicy[]): Promise<void> {
    for (const stored of this.#unread(assigned)) stored.policy = await this.#read(stored);
    const { policies, shadow, key } = this.#use(assigned);
    if (policies.length === 0 || this.#plans.has(key)) return;
    const made = await runTimeSliced(compileWhole(policies, new Set(shadow))).then(
      (plan) => ({ policies, plan }),
      (fault: unknown) => ({ policies, fault }),
    );
    // A policy may have changed meanwhile.
    if (!this.#areCurrent(policies)) return;
    this.#asked.add(key);
    this.#new.add(key);
    this.#plans.set(key, made);
  }

  /** A stored policy was valid when it was saved; one that no longer parses is left out and reported. */
  async #read({ document }: StoredPolicy): Promise<Policy | null> {
    try {
      const { policy, problems } = await parsePolicyInSlices(document);
      if (policy === undefined) this.#log.error('stored policy is not valid', { policy: nameOf(document), problems });
      return policy ?? null;
    } catch (error) {
      this.#log.error('stored policy cannot be read', { policy: nameOf(document), reason: problemText(error) });
      return null;
    }
  }

  /** What of a set was never read. */
  #unread(assigned: readonly AssignedPolicy[]): readonly StoredPolicy[] {
    const stored = assigned.flatMap(({ policy_name: name }) => this.#stored.get(name) ?? []);
    return stored.filter(({ policy }) => policy === undefined);
  }

  #miss(assigned: readonly AssignedPolicy[]): undefined {
    this.#missing.set(JSON.stringify(assigned.map(({ policy_name: name, mode }) => [name, mode])), assigned);
  }

  /** What a set of policies that were read comes to, and by what its plan is known. */
  #use(assigned: readonly AssignedPolicy[]) {
    const used = assigned.flatMap(({ policy_name: name, mode }) => {
      const policy = this.#stored.get(name)?.policy;
      return policy === undefined || policy === null ? [] : [{ name, mode, policy }];
    });
    const names = used.map(({ name }) => name);
    const shadow = used.filter(({ mode }) => mode === 'shadow').map(({ name }) => name);
    const key = JSON.stringify([names, shadow]);
    this.#asked.add(key);
    return { names, shadow, key, policies: used.map(({ policy }) => policy) };
  }

  #areCurrent(policies: readonly Policy[]): boolean {
    const current = new Set(Array.from(this.#stored.values(), ({ policy }) => policy));
    return policies.every((policy) => current.has(policy));
  }
}

const nameOf = (document: unknown): unknown =>
  typeof document === 'object' && document !== null && 'name' in document ? document.name : undefined;

function* compileWhole(policies: readonly Policy[], shadow: ReadonlySet<string>): Generator<undefined, PolicyPlan> {
  const plan = yield* compileCooperatively(policies, shadow);
  yield* readFirst(plan);
  return plan;
}

/** Long enough to be read as most texts are. */
const firstText = ' '.repeat(512);

/** What texts of one kind need is made with the first of them, which need not be one that a client waits for. */
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

function keepUnchanged(before: StoredPolicy | undefined, document: unknown): StoredPolicy {
  const text = JSON.stringify(document);
  return before?.text === text ? before : { document, text };
}
