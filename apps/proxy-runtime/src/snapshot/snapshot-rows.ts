import { sql, type Kysely } from 'kysely';
import { anyRows } from '@portcullis/platform/database/any-rows';
import type { Database } from '@portcullis/platform/database/database';
import { readAtOneMoment } from '@portcullis/platform/database/read-at-one-moment';
import type { Tables } from '@portcullis/platform/database/tables';
import type { StoredCheckRule, StoredGuardrail } from '@portcullis/platform/guardrails/stored-provider';

/** The rows a snapshot is compiled from, as plain JSON, so that they can also be kept on disk. */
export interface SnapshotRows {
  readonly revision: number;
  readonly keys: readonly KeyRow[];
  readonly groups: readonly GroupRow[];
  readonly proxies: readonly ProxyRow[];
  readonly access: readonly AccessRow[];
  readonly policies: readonly PolicyRow[];
  readonly proxyPolicies: readonly ProxyPolicyRow[];
  readonly guardrailProviders: readonly GuardrailProviderRow[];
  readonly guardrailAssignments: readonly GuardrailAssignmentRow[];
  readonly prompts: readonly PromptRow[];
  readonly proxyPrompts: readonly ProxyPromptRow[];
  readonly tools: readonly ToolRow[];
  readonly toolServers: readonly ToolServerRow[];
  readonly organizationBudget: readonly BudgetRow[];
  readonly budgetResets: readonly BudgetResetRow[];
  readonly settings: readonly SettingsRow[];
}

export interface KeyRow {
  readonly id: number;
  readonly name: string;
  readonly user_group_id: number;
  readonly key_hash: string;
  readonly active: boolean;
  /** Epoch milliseconds or null. */
  readonly expires_at_ms: number | null;
}

export interface GroupRow extends BudgetRow {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
}

export interface BudgetRow {
  /** Null: no budget. */
  readonly monthly_budget_micro_usd: number | null;
  readonly budget_warning_threshold: number;
  readonly block_at_threshold: boolean;
}

/** The latest of its subject and month. */
export interface BudgetResetRow {
  readonly id: number;
  readonly level: string;
  readonly subject_id: number;
  readonly month: string;
  readonly spent_micro_usd: number;
}

/** Of the sections that traffic depends on. */
export interface SettingsRow {
  readonly section: string;
  readonly document: unknown;
}

export interface ProxyRow {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly target: string;
  readonly port: number;
  readonly enabled: boolean;
  readonly desired_state: string;
  readonly generation: number;
  readonly settings: unknown;
  /** Sealed. */
  readonly target_auth: string | null;
}

export interface AccessRow {
  readonly user_group_id: number;
  readonly proxy_id: number;
  readonly permissions: string;
  readonly rate_limit: number;
  readonly system_prompt_id: number | null;
}

export interface PolicyRow {
  readonly name: string;
  readonly document: unknown;
}

export interface ProxyPolicyRow {
  readonly proxy_id: number;
  readonly policy_name: string;
  /** `shadow`: evaluated and recorded, never enforced. */
  readonly mode: string;
}

/** Of a provider that is enabled. */
export interface GuardrailProviderRow extends StoredGuardrail, StoredCheckRule {
  readonly direction: string;
  readonly priority: number;
  readonly alert_on_violation: boolean;
  readonly alert_on_failure: boolean;
  readonly log_content: boolean;
}

export interface GuardrailAssignmentRow {
  readonly provider_id: number;
  readonly proxy_id: number;
  /** Null: everybody. */
  readonly user_group_id: number | null;
  readonly priority: number;
}

export interface PromptRow {
  readonly id: number;
  readonly name: string;
  readonly content: string;
  readonly active: boolean;
}

export interface ProxyPromptRow {
  readonly proxy_id: number;
  readonly system_prompt_id: number;
}

export interface ToolRow {
  readonly id: number;
  readonly proxy_id: number;
  readonly name: string;
  readonly enabled: boolean;
  readonly held: boolean;
  readonly missing: boolean;
  readonly definition_hash: string;
  readonly rate_limit: number;
}

export interface ToolServerRow {
  readonly proxy_id: number;
  readonly instructions: string;
  readonly instructions_hash: string;
}

/** The tables told apart; a change of one leaves the rows of the others as they are. */
type SnapshotTable =
  | 'api_keys'
  | 'user_groups'
  | 'proxies'
  | 'proxy_access'
  | 'policies'
  | 'proxy_policies'
  | 'guardrail_providers'
  | 'guardrail_assignments'
  | 'system_prompts'
  | 'proxy_system_prompts'
  | 'mcp_tools'
  | 'mcp_servers'
  | 'organization_budget'
  | 'budget_resets'
  | 'settings';

type Reader = Kysely<Tables>;

const loadKeys = async (reader: Reader): Promise<readonly KeyRow[]> => {
  const rows = await reader
    .selectFrom('api_keys')
    .select(['id', 'name', 'user_group_id', 'key_hash', 'active', 'expires_at'])
    .execute();
  return rows.map(({ expires_at, ...row }) => ({ ...row, expires_at_ms: expires_at?.getTime() ?? null }));
};

const budgetColumns = ['monthly_budget_micro_usd', 'budget_warning_threshold', 'block_at_threshold'] as const;

const loadGroups = (reader: Reader) =>
  reader
    .selectFrom('user_groups')
    .select(['id', 'name', 'active', ...budgetColumns])
    .execute();

const loadOrganizationBudget = (reader: Reader) =>
  reader.selectFrom('organization_budget').select(budgetColumns).execute();

/** Those of this month, and of the next where clocks differ. */
const loadBudgetResets = (reader: Reader) =>
  reader
    .selectFrom('budget_resets')
    .distinctOn(['month', 'level', 'subject_id'])
    .select(['id', 'level', 'subject_id', 'month', 'spent_micro_usd'])
    .where('month', '>=', sql<string>`to_char(now() at time zone 'utc', 'YYYY-MM')`)
    .where('level', 'in', ['organization', 'user_group'])
    .orderBy('month')
    .orderBy('level')
    .orderBy('subject_id')
    .orderBy('id', 'desc')
    .execute();

const loadSettings = (reader: Reader): Promise<readonly SettingsRow[]> =>
  reader.selectFrom('settings').select(['section', 'document']).where('section', '=', 'pricing').execute();

const loadProxies = (reader: Reader) =>
  reader
    .selectFrom('proxies')
    .select([
      'id',
      'name',
      'type',
      'target',
      'port',
      'enabled',
      'desired_state',
      'generation',
      'settings',
      'target_auth',
    ])
    .execute();

const loadAccess = (reader: Reader) =>
  reader
    .selectFrom('proxy_access')
    .select(['user_group_id', 'proxy_id', 'permissions', 'rate_limit', 'system_prompt_id'])
    .where('active', '=', true)
    .execute();

const loadPolicies = (reader: Reader) =>
  reader.selectFrom('policies').select(['name', 'document']).where('active', '=', true).execute();

const loadProxyPolicies = (reader: Reader) =>
  reader.selectFrom('proxy_policies').select(['proxy_id', 'policy_name', 'mode']).orderBy('position').execute();

const loadGuardrailProviders = (reader: Reader): Promise<readonly GuardrailProviderRow[]> =>
  reader
    .selectFrom('guardrail_providers')
    .select(['id', 'name', 'provider_type', 'config', 'credentials', 'timeout_ms', 'action', 'failure_mode'])
    .select(['min_confidence', 'direction', 'priority', 'alert_on_violation', 'alert_on_failure', 'log_content'])
    .where('enabled', '=', true)
    .execute();

const loadGuardrailAssignments = (reader: Reader) =>
  reader
    .selectFrom('guardrail_assignments')
    .select(['provider_id', 'proxy_id', 'user_group_id', 'priority'])
    .where('enabled', '=', true)
    .execute();

const loadPrompts = (reader: Reader) =>
  reader.selectFrom('system_prompts').select(['id', 'name', 'content', 'active']).execute();

const loadProxyPrompts = (reader: Reader) =>
  reader.selectFrom('proxy_system_prompts').select(['proxy_id', 'system_prompt_id']).execute();

const loadTools = async (reader: Reader): Promise<readonly ToolRow[]> => {
  const rows = await reader
    .selectFrom('mcp_tools')
    .select(['id', 'proxy_id', 'name', 'enabled', 'held', 'missing_since', 'definition_hash', 'rate_limit'])
    .execute();
  return rows.map(({ missing_since, ...row }) => ({ ...row, missing: missing_since !== null }));
};

const loadToolServers = (reader: Reader): Promise<readonly ToolServerRow[]> =>
  reader.selectFrom('mcp_servers').select(['proxy_id', 'instructions', 'instructions_hash']).execute();

/**
 * Loads the rows of the tables that changed after `previous` and takes the others from it; answers
 * `previous` itself when nothing changed. All at one moment, so that what changed, the
 * rows and the revision belong together; whether anything changed is asked before, since the answer is nearly always no.
 */
export async function loadSnapshotRows(database: Database, previous: SnapshotRows | undefined): Promise<SnapshotRows> {
  const known = previous?.revision;
  if (previous !== undefined && !(await hasChanged(database, previous.revision))) return previous;
  return readAtOneMoment(database, async ({ kysely: reader }) => {
    const changes = await loadChangesAfter(reader, known ?? 0);
    const stale = (table: SnapshotTable) => previous === undefined || changes.tables.has(table);
    return {
      revision: changes.revision,
      keys: stale('api_keys') ? await loadKeys(reader) : (previous?.keys ?? []),
      groups: stale('user_groups') ? await loadGroups(reader) : (previous?.groups ?? []),
      proxies: stale('proxies') ? await loadProxies(reader) : (previous?.proxies ?? []),
      access: stale('proxy_access') ? await loadAccess(reader) : (previous?.access ?? []),
      policies: stale('policies') ? await loadPolicies(reader) : (previous?.policies ?? []),
      proxyPolicies: stale('proxy_policies') ? await loadProxyPolicies(reader) : (previous?.proxyPolicies ?? []),
      guardrailProviders: stale('guardrail_providers')
        ? await loadGuardrailProviders(reader)
        : (previous?.guardrailProviders ?? []),
      guardrailAssignments: stale('guardrail_assignments')
        ? await loadGuardrailAssignments(reader)
        : (previous?.guardrailAssignments ?? []),
      tools: stale('mcp_tools') ? await loadTools(reader) : (previous?.tools ?? []),
      toolServers: stale('mcp_servers') ? await loadToolServers(reader) : (previous?.toolServers ?? []),
      prompts: stale('system_prompts') ? await loadPrompts(reader) : (previous?.prompts ?? []),
      proxyPrompts: stale('proxy_system_prompts') ? await loadProxyPrompts(reader) : (previous?.proxyPrompts ?? []),
      organizationBudget: stale('organization_budget')
        ? await loadOrganizationBudget(reader)
        : (previous?.organizationBudget ?? []),
      budgetResets: stale('budget_resets') ? await loadBudgetResets(reader) : (previous?.budgetResets ?? []),
      settings: stale('settings') ? await loadSettings(reader) : (previous?.settings ?? []),
    };
  });
}

const hasChanged = anyRows((kysely) =>
  kysely
    .selectFrom('config_changes')
    .select('id')
    .where('revision', '>', sql<number>`${undefined}`),
);

/** The tables that changed after `revision`, and the highest revision among the changes. */
async function loadChangesAfter(
  reader: Reader,
  revision: number,
): Promise<{ readonly revision: number; readonly tables: ReadonlySet<string> }> {
  const rows = await reader
    .selectFrom('config_changes')
    .select((columns) => ['kind', columns.fn.max('revision').as('latest')])
    .where('revision', '>', revision)
    .groupBy('kind')
    .execute();
  return {
    revision: Math.max(revision, ...rows.map((row) => row.latest)),
    tables: new Set(rows.map((row) => row.kind)),
  };
}
