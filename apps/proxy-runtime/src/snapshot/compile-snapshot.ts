import { memoizeLast } from '@portcullis/core/collections/memoize-last';
import { PersistentMap } from '@portcullis/core/collections/persistent-map';
import { defaultProxySettings } from '@portcullis/contracts/proxy-settings';
import type { TargetAuth } from '@portcullis/contracts/routes/proxies';
import { compileOriginList, type OriginList } from '@portcullis/core/network/origin-list';
import type { CompiledPrompt } from '@portcullis/core/prompts/decide-injection';
import { parseTemplate } from '@portcullis/core/prompts/parse-template';
import { finish } from '@portcullis/core/policy/scan/steps';
import { runTimeSliced } from '@portcullis/platform/event-loop/run-time-sliced';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { targetAuthPlace } from '@portcullis/platform/security/sealed-places';
import type { Logger } from '@portcullis/platform/log/logger';
import { problemText } from '@portcullis/platform/lifecycle/problem';
import type { PolicyAnalyst } from '@portcullis/platform/policies/policy-analyst';
import { PolicyPlans, type FoundPlan } from '@portcullis/platform/policies/policy-plans';
import type { PolicyRow } from '@portcullis/platform/policies/policy-source';
import { createCallerCompiler } from '@portcullis/platform/snapshot/compile-callers';
import { GroupedIndex } from '@portcullis/platform/snapshot/entry-index';
import type { SnapshotCompiler } from '@portcullis/platform/snapshot/snapshot-feed';
import { allRows, type RowsById } from '@portcullis/platform/snapshot/snapshot-source';
import { parseToolPermissions } from '@portcullis/core/mcp/tool-permissions';
import { compileProviders, compileProxyGuardrails } from '../guardrails/compile-guardrails.ts';
import { countProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { compileTrust } from '@portcullis/platform/inspection/text-source';
import { compileProxyTools } from '../tools/proxy-tools.ts';
import { compileBudget, compileBudgets } from './compile-budgets.ts';
import { compilePricing } from './compile-pricing.ts';
import type { AccessEntry, GroupEntry, ProxyEntry, Snapshot, TargetEntry } from './snapshot.ts';
import type {
  AccessRow,
  BudgetResetRow,
  BudgetRow,
  GroupRow,
  GuardrailProviderRow,
  PromptRow,
  ProxyRow,
  SettingsRow,
  SnapshotRows,
} from './snapshot-rows.ts';

interface CompilerParts {
  readonly encryption: Encryption;
  readonly analyst: Pick<PolicyAnalyst, 'analyse'>;
  readonly log: Logger;
  /** Told of every set of policies whether it was compiled already. */
  readonly onPlan?: (known: boolean) => void;
}

/** Proxies whose policies have to be compiled first are behind: see `Snapshot`. */
export function createSnapshotCompiler(parts: CompilerParts): SnapshotCompiler<SnapshotRows, Snapshot> {
  const { encryption, analyst, log, onPlan = () => undefined } = parts;
  const callers = createCallerCompiler(compileGroup);
  const access = new GroupedIndex<AccessRow, AccessEntry>((row) => [row.proxy_id, row.user_group_id]);
  const accessCompiler = memoizeLast((prompts: Prompts) => (row: AccessRow) => compileAccess(row, prompts));
  const budgets = memoizeLast((budget: RowsById<BudgetRow>, resets: RowsById<BudgetResetRow>) =>
    compileBudgets(allRows(budget), allRows(resets)),
  );
  const pricing = memoizeLast((settings: RowsById<SettingsRow>) => compilePricing(allRows(settings)));
  const providers = memoizeLast((rows: RowsById<GuardrailProviderRow>) =>
    compileProviders(allRows(rows), encryption, log),
  );
  const prompts = memoizeLast((rows: RowsById<PromptRow>) => compilePrompts(allRows(rows)));
  const policyRows = memoizeLast((rows: RowsById<PolicyRow>) => allRows(rows));
  const plans = new PolicyPlans(log, analyst, onPlan);

  const compileProxy = (
    row: ProxyRow,
    policies: FoundPlan,
    parts: Pick<ProxyEntry, 'access' | 'guardrails' | 'prompt' | 'tools'>,
  ): ProxyEntry => ({
    id: row.id,
    name: row.name,
    type: row.type === 'mcp' ? 'mcp' : 'llm',
    target: compileTarget(row, encryption),
    port: row.port,
    tlsPair: textProperty(row.settings, 'tls_pair') ?? null,
    wanted: isWanted(row),
    generation: row.generation,
    policyNames: policies.names,
    policies: policies.plan,
    origins: compileTrust(row.type === 'mcp' ? 'mcp' : 'llm', readTrusted(property(row.settings, 'trusted_roles'))),
    ...parts,
    promptLimits: compilePromptLimits(row.settings),
    explains: property(row.settings, 'explain') === true,
    canaryRate: readShare(property(row.settings, 'canary_injection_rate')),
    nativeErrors: property(row.settings, 'error_style') === 'native',
    allowsOrigin: compileAllowedOrigins(property(row.settings, 'allowed_origins')),
    blockResponse: readBlockResponse(property(row.settings, 'block_response')),
    refill: property(row.settings, 'rate_limit_refill') === 'proportional' ? 'proportional' : 'literal',
    denyWithoutStore: property(row.settings, 'on_store_failure') === 'deny',
    forwardGatewayKey: property(row.settings, 'forward_gateway_key') === true,
    promptWithoutPlace: readWithoutPlace(property(row.settings, 'system_prompt_without_place')),
    passesUnread: property(row.settings, 'unreadable_content') === 'pass',
    usageFromStream: readUsageFromStream(property(row.settings, 'usage_from_stream')),
    maxConcurrent: countProperty(row.settings, 'max_concurrent_requests'),
  });

  /** By id, with what it was compiled from. */
  const known = new Map<number, { readonly from: readonly unknown[]; readonly entry: ProxyEntry }>();

  /**
   * A proxy whose policies have to be compiled first goes on as it was, or does not begin. Who may use it, and that it
   * ends, waits for nothing.
   */
  const goOn = (row: ProxyRow, ofProxy: ProxyEntry['access'], behind: Set<number>): ProxyEntry | undefined => {
    const before = known.get(row.id)?.entry;
    if (before === undefined || isWanted(row)) behind.add(row.id);
    return before && { ...before, access: ofProxy, wanted: before.wanted && isWanted(row) };
  };

  const findProxy = (
    row: ProxyRow,
    rows: SnapshotRows,
    ofProxy: ProxyEntry['access'],
    behind: Set<number>,
  ): ProxyEntry | undefined => {
    const id = String(row.id);
    const assigned = rows.proxyPolicies.get(id) ?? none;
    const policies = plans.find(assigned);
    if (policies === undefined) return goOn(row, ofProxy, behind);
    const knownPrompts = prompts(rows.prompts);
    const [assignments, guardrails] = [rows.guardrailAssignments.get(id) ?? none, providers(rows.guardrailProviders)];
    const [promptRows, tools, servers] = [rows.proxyPrompts.get(id), rows.tools.get(id), rows.toolServers.get(id)];
    const from = [
      row,
      assigned,
      policies.plan,
      ofProxy,
      assignments,
      guardrails,
      promptRows,
      knownPrompts,
      tools,
      servers,
    ];
    const before = known.get(row.id);
    if (before !== undefined && from.every((part, place) => part === before.from[place])) return before.entry;
    const [prompt] = promptRows ?? [];
    const entry = compileProxy(row, policies, {
      access: ofProxy,
      guardrails: compileProxyGuardrails(assignments, guardrails),
      prompt: prompt && knownPrompts.get(prompt.system_prompt_id),
      tools: row.type === 'mcp' ? compileProxyTools(row.settings, tools, servers?.[0]) : undefined,
    });
    known.set(row.id, { from, entry });
    return entry;
  };

  const compileProxies = (rows: SnapshotRows, accessOf: AccessByProxy): Pick<Snapshot, 'proxies' | 'behind'> => {
    plans.update(policyRows(rows.policies));
    const proxies = new Map<number, ProxyEntry>();
    const behind = new Set<number>();
    for (const row of allRows(rows.proxies)) {
      try {
        const entry = findProxy(row, rows, accessOf.get(row.id) ?? noAccess, behind);
        if (entry !== undefined) proxies.set(row.id, entry);
      } catch (error) {
        log.error('proxy left out of the snapshot', { proxy_id: row.id, reason: problemText(error) });
      }
    }
    for (const id of known.keys()) if (!proxies.has(id)) known.delete(id);
    return { proxies, behind };
  };
  /** A change of keys, groups or budgets leaves all proxies as they are. */
  let last: ({ readonly rows: SnapshotRows } & Pick<Snapshot, 'proxies' | 'behind'>) | undefined;
  const proxiesOf = (rows: SnapshotRows, accessOf: AccessByProxy): Pick<Snapshot, 'proxies' | 'behind'> => {
    const isSame = last !== undefined && proxyTables.every((table) => rows[table] === last?.rows[table]);
    if (last === undefined || !isSame || plans.isIncomplete) last = { rows, ...compileProxies(rows, accessOf) };
    return last;
  };

  const followAccess = (rows: SnapshotRows) => access.follow(rows.access, accessCompiler(prompts(rows.prompts)));

  return {
    async prepare(rows) {
      await callers.prepare(rows);
      await runTimeSliced(followAccess(rows));
    },

    compile(rows) {
      const { proxies, behind } = proxiesOf(rows, finish(followAccess(rows)));
      return {
        revision: rows.revision,
        ...callers.compile(rows),
        proxies,
        behind,
        budgets: budgets(rows.organizationBudget, rows.budgetResets),
        pricing: pricing(rows.settings),
      };
    },

    catchUp: () => plans.makeMissing(),
  };
}

const isWanted = (row: ProxyRow): boolean => row.enabled && row.desired_state === 'running';

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

type AccessByProxy = PersistentMap<number, PersistentMap<number, AccessEntry>>;

const noAccess = PersistentMap.empty<number, AccessEntry>();
const none: readonly never[] = [];

const readShare = (value: unknown): number => (typeof value === 'number' ? Math.min(1, Math.max(0, value)) : 0);

const readWithoutPlace = (value: unknown): ProxyEntry['promptWithoutPlace'] =>
  value === 'pass' || value === 'deny_all' ? value : 'deny';

const readUsageFromStream = (value: unknown): ProxyEntry['usageFromStream'] =>
  value === 'always' || value === 'never' ? value : 'auto';

const compileAllowedOrigins = (value: unknown): OriginList =>
  Array.isArray(value)
    ? compileOriginList(value.filter((origin): origin is string => typeof origin === 'string'))
    : ownOrigins;

const ownOrigins = compileOriginList(defaultProxySettings.allowed_origins);

const readBlockResponse = (value: unknown): ProxyEntry['blockResponse'] =>
  value === 'jsonrpc' || value === 'tool_error' ? value : 'http';

const compileGroup = (row: GroupRow): GroupEntry => ({
  id: row.id,
  name: row.name,
  active: row.active,
  budget: compileBudget(row),
});

type Prompts = ReadonlyMap<number, CompiledPrompt>;

/** A template that cannot be read is kept with its problems: each request that it was to go with tells of it. */
const compilePrompts = (rows: readonly PromptRow[]): Prompts =>
  new Map(rows.map(({ id, name, active, content }) => [id, { id, name, active, parsed: parseTemplate(content) }]));

const compilePromptLimits = (settings: unknown): ProxyEntry['promptLimits'] => ({
  maxBodyBytes: readLimit(settings, 'system_prompt_max_body_size'),
  maxMessages: readLimit(settings, 'system_prompt_max_messages'),
});

const readLimit = (settings: unknown, name: 'system_prompt_max_body_size' | 'system_prompt_max_messages'): number =>
  property(settings, name) === undefined ? defaultProxySettings[name] : countProperty(settings, name);

const compileAccess = (row: AccessRow, prompts: Prompts): AccessEntry => ({
  permissions: row.permissions,
  rateLimit: row.rate_limit,
  tools: parseToolPermissions(row.permissions),
  prompt: row.system_prompt_id === null ? undefined : prompts.get(row.system_prompt_id),
});

const readTrusted = (roles: unknown): readonly string[] | undefined =>
  Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : undefined;

const readTimeout = (settings: unknown, name: string): number | null => countProperty(settings, name) || null;

function compileTarget(row: ProxyRow, encryption: Encryption): TargetEntry {
  const url = new URL(row.target);
  const auth = row.target_auth === null ? undefined : encryption.decrypt(row.target_auth, ...targetAuthPlace(row.id));
  return {
    origin: url.origin,
    host: url.host,
    basePath: url.pathname.replace(/\/+$/, ''),
    auth: auth === undefined ? undefined : (JSON.parse(auth) as TargetAuth),
    timeouts: {
      connectMs: readTimeout(row.settings, 'target_connect_timeout_ms'),
      headersMs: readTimeout(row.settings, 'target_headers_timeout_ms'),
      idleMs: readTimeout(row.settings, 'target_idle_timeout_ms'),
      totalMs: readTimeout(row.settings, 'target_total_timeout_ms'),
    },
    ca: textProperty(row.settings, 'target_ca'),
  };
}
