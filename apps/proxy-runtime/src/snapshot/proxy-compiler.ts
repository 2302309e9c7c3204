import { memoizeLast } from '@portcullis/core/collections/memoize-last';
import { PersistentMap } from '@portcullis/core/collections/persistent-map';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { PolicyAnalyst } from '@portcullis/platform/policies/policy-analyst';
import { PolicyPlans } from '@portcullis/platform/policies/policy-plans';
import type { PolicyRow } from '@portcullis/platform/policies/policy-source';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { allRows, type RowsById } from '@portcullis/platform/snapshot/snapshot-source';
import { compileProviders, compileProxyGuardrails } from './compile-guardrails.ts';
import { compileProxyTools } from './proxy-tools.ts';
import type { Prompts } from './compile-prompts.ts';
import { compileProxy, isWanted } from './compile-proxy.ts';
import type { AccessEntry, ProxyEntry, Snapshot } from './snapshot.ts';
import type { GuardrailProviderRow, ProxyRow, SnapshotRows } from './snapshot-sources.ts';

export interface CompilerParts {
  readonly encryption: Encryption;
  /** Where the management port is reached, which has the endpoints of OAuth proxies; see `publicBaseOf`. */
  readonly publicBase?: string | undefined;
  readonly analyst: Pick<PolicyAnalyst, 'analyse'>;
  readonly log: Logger;
  /** Told of every set of policies whether it was compiled already. */
  readonly onPlan?: (known: boolean) => void;
}

/** What is compiled for all proxies at once. */
export interface SharedByProxies {
  readonly access: PersistentMap<number, PersistentMap<number, AccessEntry>>;
  readonly prompts: Prompts;
}

type CompiledProxies = Pick<Snapshot, 'proxies' | 'behind'>;

/** What proxies are compiled from. */
const proxyTables = [
  'proxies',
  'access',
  'policies',
  'proxyPolicies',
  'guardrailProviders',
  'guardrailAssignments',
  'prompts',
  'proxyPrompts',
  'tools',
  'toolServers',
] as const;

const noAccess = PersistentMap.empty<number, AccessEntry>();
const none: readonly never[] = [];

/** Compiles proxies, and those alone that a change concerns. */
export class ProxyCompiler {
  readonly #parts: CompilerParts;
  readonly #plans: PolicyPlans;
  readonly #providers;
  readonly #policyRows = memoizeLast((rows: RowsById<PolicyRow>) => allRows(rows));
  /** By id, with what it was compiled from. */
  readonly #known = new Map<number, { readonly from: readonly unknown[]; readonly entry: ProxyEntry }>();
  #last: ({ readonly rows: SnapshotRows } & CompiledProxies) | undefined;

  constructor(parts: CompilerParts) {
    const { encryption, analyst, log, onPlan = () => undefined } = parts;
    this.#parts = parts;
    this.#plans = new PolicyPlans(log, analyst, onPlan);
    this.#providers = memoizeLast((rows: RowsById<GuardrailProviderRow>) =>
      compileProviders(allRows(rows), encryption, log),
    );
  }

  /** A change of keys, groups or budgets leaves all proxies as they are. */
  compile(rows: SnapshotRows, shared: SharedByProxies): CompiledProxies {
    const last = this.#last;
    const isSame = last !== undefined && proxyTables.every((table) => rows[table] === last.rows[table]);
    if (isSame && !this.#plans.isIncomplete) return last;
    const compiled = this.#compileAll(rows, shared);
    this.#last = { rows, ...compiled };
    return compiled;
  }

  /** Makes the plans of policies that proxies had to do without. False when there is none. */
  makeMissing(): Promise<boolean> {
    return this.#plans.makeMissing();
  }

  #compileAll(rows: SnapshotRows, shared: SharedByProxies): CompiledProxies {
    this.#plans.update(this.#policyRows(rows.policies));
    const proxies = new Map<number, ProxyEntry>();
    const behind = new Set<number>();
    for (const row of allRows(rows.proxies)) {
      try {
        const entry = this.#find(row, rows, shared, behind);
        if (entry !== undefined) proxies.set(row.id, entry);
      } catch (error) {
        this.#parts.log.error('proxy left out of the snapshot', { proxy_id: row.id, reason: problemText(error) });
      }
    }
    for (const id of this.#known.keys()) if (!proxies.has(id)) this.#known.delete(id);
    return { proxies, behind };
  }

  #find(row: ProxyRow, rows: SnapshotRows, shared: SharedByProxies, behind: Set<number>): ProxyEntry | undefined {
    const { prompts } = shared;
    const id = String(row.id);
    const access = shared.access.get(row.id) ?? noAccess;
    const assigned = rows.proxyPolicies.get(id) ?? none;
    const policies = this.#plans.find(assigned);
    if (policies === undefined) return this.#goOn(row, access, behind);
    const [assignments, guardrails] = [
      rows.guardrailAssignments.get(id) ?? none,
      this.#providers(rows.guardrailProviders),
    ];
    const [promptRows, tools, servers] = [rows.proxyPrompts.get(id), rows.tools.get(id), rows.toolServers.get(id)];
    const own = [row, assigned, promptRows, tools, servers, assignments];
    const from = [...own, policies.plan, access, guardrails, prompts];
    const before = this.#known.get(row.id);
    if (before !== undefined && from.every((part, place) => part === before.from[place])) return before.entry;
    const [prompt] = promptRows ?? [];
    const parts = {
      access,
      guardrails: compileProxyGuardrails(assignments, guardrails),
      prompt: prompt && prompts.get(prompt.system_prompt_id),
      tools: row.type === 'mcp' ? compileProxyTools(row.settings, tools, servers?.[0]) : undefined,
    };
    const entry = compileProxy(row, policies, parts, this.#parts);
    this.#known.set(row.id, { from, entry });
    return entry;
  }

  /**
   * A proxy whose policies have to be compiled first goes on as it was, or does not begin. Who may use it, and that it
   * ends, waits for nothing.
   */
  #goOn(row: ProxyRow, access: ProxyEntry['access'], behind: Set<number>): ProxyEntry | undefined {
    const before = this.#known.get(row.id)?.entry;
    if (before === undefined || isWanted(row)) behind.add(row.id);
    return before && { ...before, access, wanted: before.wanted && isWanted(row) };
  }
}
