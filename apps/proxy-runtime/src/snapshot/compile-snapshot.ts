import { defaultProxySettings } from '@portcullis/contracts/proxy-settings';
import type { TargetAuth } from '@portcullis/contracts/routes/proxies';
import type { CompiledPrompt } from '@portcullis/core/prompts/decide-injection';
import { parseTemplate } from '@portcullis/core/prompts/parse-template';
import type { Encryption } from '@portcullis/platform/security/encryption';
import type { Logger } from '@portcullis/platform/log/logger';
import { problemText } from '@portcullis/platform/lifecycle/problem';
import { parseToolPermissions } from '@portcullis/core/mcp/tool-permissions';
import { compileProviders, compileProxyGuardrails } from '../guardrails/compile-guardrails.ts';
import { countProperty, property, textProperty } from '../protocols/json-value.ts';
import { compileProxyTools, groupTools } from '../tools/proxy-tools.ts';
import { compileBudget, compileBudgets } from './compile-budgets.ts';
import { compilePricing } from './compile-pricing.ts';
import { PolicyPlans } from './policy-plans.ts';
import type { AccessEntry, GroupEntry, KeyEntry, ProxyEntry, Snapshot, TargetEntry } from './snapshot.ts';
import type {
  AccessRow,
  GroupRow,
  GuardrailProviderRow,
  KeyRow,
  PromptRow,
  ProxyPromptRow,
  ProxyRow,
  SnapshotRows,
} from './snapshot-rows.ts';

/** Compiles rows into snapshots, reusing every part whose rows are the same as last time. */
export interface SnapshotCompiler {
  /** Does what takes long of the same `compile`, in slices that requests under way do not feel. */
  prepare(rows: SnapshotRows): Promise<void>;
  compile(rows: SnapshotRows): Snapshot;
}

/** @param onPlan told of every set of policies whether it was compiled already */
export function createSnapshotCompiler(
  encryption: Encryption,
  log: Logger,
  onPlan: (known: boolean) => void = () => undefined,
): SnapshotCompiler {
  const keysByHash = memoize((rows: readonly KeyRow[]) => new Map(rows.map((row) => [row.key_hash, compileKey(row)])));
  const groups = memoize((rows: readonly GroupRow[]) => new Map(rows.map((row) => [row.id, compileGroup(row)])));
  const budgets = memoize(compileBudgets);
  const pricing = memoize(compilePricing);
  const providers = memoize((rows: readonly GuardrailProviderRow[]) => compileProviders(rows, encryption, log));
  const prompts = memoize(compilePrompts);
  const access = memoize(groupAccess);
  const tools = memoize(groupTools);
  const promptsByProxy = memoize(groupPrompts);
  const plans = new PolicyPlans(log, onPlan);

  const compileProxy = (
    row: ProxyRow,
    accessByProxy: ReturnType<typeof access>,
    policies: ReturnType<PolicyPlans['planFor']>,
    parts: Pick<ProxyEntry, 'guardrails' | 'prompt' | 'tools'>,
  ): ProxyEntry => ({
    id: row.id,
    name: row.name,
    type: row.type === 'mcp' ? 'mcp' : 'llm',
    target: compileTarget(row, encryption),
    port: row.port,
    wanted: row.enabled && row.desired_state === 'running',
    generation: row.generation,
    access: accessByProxy.get(row.id) ?? new Map<number, AccessEntry>(),
    policyNames: policies.names,
    policies: policies.plan,
    ...parts,
    promptLimits: compilePromptLimits(row.settings),
    explains: property(row.settings, 'explain') === true,
    canaryRate: readShare(property(row.settings, 'canary_injection_rate')),
    nativeErrors: property(row.settings, 'error_style') === 'native',
    blockResponse: readBlockResponse(property(row.settings, 'block_response')),
    refill: property(row.settings, 'rate_limit_refill') === 'proportional' ? 'proportional' : 'literal',
    denyWithoutStore: property(row.settings, 'on_store_failure') === 'deny',
    forwardGatewayKey: property(row.settings, 'forward_gateway_key') === true,
    usageFromStream: readUsageFromStream(property(row.settings, 'usage_from_stream')),
    maxConcurrent: countProperty(row.settings, 'max_concurrent_requests'),
  });

  const assignedTo = ({ proxyPolicies }: SnapshotRows, proxy: ProxyRow) =>
    proxyPolicies.filter(({ proxy_id: id }) => id === proxy.id);

  return {
    prepare(rows) {
      plans.update(rows.policies);
      return plans.prepare(rows.proxies.map((row) => assignedTo(rows, row)));
    },

    compile(rows) {
      plans.update(rows.policies);
      const knownPrompts = prompts(rows.prompts);
      const accessByProxy = access(rows.access, knownPrompts);
      const promptOf = promptsByProxy(rows.proxyPrompts, knownPrompts);
      const guardrailsById = providers(rows.guardrailProviders);
      const toolsByProxy = tools(rows.tools, rows.toolServers);
      const proxies = new Map<number, ProxyEntry>();
      for (const row of rows.proxies) {
        try {
          const guardrails = compileProxyGuardrails(row.id, rows.guardrailAssignments, guardrailsById);
          const policies = plans.planFor(assignedTo(rows, row));
          const parts = {
            guardrails,
            prompt: promptOf.get(row.id),
            tools: row.type === 'mcp' ? compileProxyTools(row.settings, toolsByProxy.get(row.id)) : undefined,
          };
          proxies.set(row.id, compileProxy(row, accessByProxy, policies, parts));
        } catch (error) {
          log.error('proxy left out of the snapshot', { proxy_id: row.id, reason: problemText(error) });
        }
      }
      return {
        revision: rows.revision,
        keysByHash: keysByHash(rows.keys),
        groups: groups(rows.groups),
        proxies,
        budgets: budgets(rows.organizationBudget, rows.budgetResets),
        pricing: pricing(rows.settings),
      };
    },
  };
}

const readShare = (value: unknown): number => (typeof value === 'number' ? Math.min(1, Math.max(0, value)) : 0);

const readUsageFromStream = (value: unknown): ProxyEntry['usageFromStream'] =>
  value === 'always' || value === 'never' ? value : 'auto';

const readBlockResponse = (value: unknown): ProxyEntry['blockResponse'] =>
  value === 'jsonrpc' || value === 'tool_error' ? value : 'http';

/** Remembers the last answer, by identity of the arguments. */
const memoize = <Inputs extends readonly object[], Output>(
  compute: (...inputs: Inputs) => Output,
): ((...inputs: Inputs) => Output) => {
  let last: { readonly inputs: Inputs; readonly output: Output } | undefined;
  return (...inputs) => {
    if (last === undefined || inputs.some((input, place) => input !== last?.inputs[place])) {
      last = { inputs, output: compute(...inputs) };
    }
    return last.output;
  };
};

const compileGroup = (row: GroupRow): GroupEntry => ({
  id: row.id,
  name: row.name,
  active: row.active,
  budget: compileBudget(row),
});

const compileKey = (row: KeyRow): KeyEntry => ({
  id: row.id,
  name: row.name,
  groupId: row.user_group_id,
  active: row.active,
  expiresAtMs: row.expires_at_ms ?? Number.POSITIVE_INFINITY,
});

type Prompts = ReadonlyMap<number, CompiledPrompt>;

/** A template that cannot be read is kept with its problems: each request that it was to go with tells of it. */
const compilePrompts = (rows: readonly PromptRow[]): Prompts =>
  new Map(rows.map(({ id, name, active, content }) => [id, { id, name, active, parsed: parseTemplate(content) }]));

const groupPrompts = (
  rows: readonly ProxyPromptRow[],
  prompts: Prompts,
): ReadonlyMap<number, CompiledPrompt | undefined> =>
  new Map(rows.map(({ proxy_id, system_prompt_id }) => [proxy_id, prompts.get(system_prompt_id)]));

const compilePromptLimits = (settings: unknown): ProxyEntry['promptLimits'] => ({
  maxBodyBytes: readLimit(settings, 'system_prompt_max_body_size'),
  maxMessages: readLimit(settings, 'system_prompt_max_messages'),
});

const readLimit = (settings: unknown, name: 'system_prompt_max_body_size' | 'system_prompt_max_messages'): number =>
  property(settings, name) === undefined ? defaultProxySettings[name] : countProperty(settings, name);

const groupAccess = (
  rows: readonly AccessRow[],
  prompts: Prompts,
): ReadonlyMap<number, ReadonlyMap<number, AccessEntry>> => {
  const byProxy = new Map<number, Map<number, AccessEntry>>();
  for (const row of rows) {
    const ofProxy = byProxy.get(row.proxy_id) ?? new Map<number, AccessEntry>();
    ofProxy.set(row.user_group_id, {
      permissions: row.permissions,
      rateLimit: row.rate_limit,
      tools: parseToolPermissions(row.permissions),
      prompt: row.system_prompt_id === null ? undefined : prompts.get(row.system_prompt_id),
    });
    byProxy.set(row.proxy_id, ofProxy);
  }
  return byProxy;
};

const readTimeout = (settings: unknown, name: string): number | null => countProperty(settings, name) || null;

function compileTarget(row: ProxyRow, encryption: Encryption): TargetEntry {
  const url = new URL(row.target);
  const auth = row.target_auth === null ? undefined : encryption.decrypt(row.target_auth, 'proxies.target_auth');
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
