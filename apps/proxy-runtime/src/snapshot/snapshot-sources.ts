import type { PolicyException } from '@portcullis/core/policy/exceptions/exception-table';
import { exceptionSource } from '@portcullis/platform/policies/exception-source';
import { policySource, type PolicyRow } from '@portcullis/platform/policies/policy-source';
import {
  groupSource,
  keySource,
  type CallerTables,
  type GroupRow as CallerGroupRow,
} from '@portcullis/platform/snapshot/caller-sources';
import { memberSource, sessionSource, userSource, type LoginTables } from '@portcullis/platform/snapshot/login-sources';
import {
  grantSource,
  identitySource,
  oauthProviderSource,
  signingKeySource,
  type OAuthTables,
} from '@portcullis/platform/snapshot/oauth-sources';
import {
  numbered,
  type RowsById,
  type SnapshotRows as RowsOf,
  type SnapshotSource,
  type SnapshotSources,
} from '@portcullis/platform/snapshot/snapshot-source';
import { sql } from 'kysely';
import { createTableSource, type TableRow } from './table-source.ts';

const isActive = sql<boolean>`active`;
const isEnabled = sql<boolean>`enabled`;

const proxies = createTableSource({
  kind: 'proxies',
  id: 'id',
  columns: [
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
  ],
});

const access = createTableSource({
  kind: 'proxy_access',
  id: 'id',
  columns: ['id', 'user_group_id', 'proxy_id', 'permissions', 'rate_limit', 'system_prompt_id'],
  where: isActive,
});

const proxyPolicies = createTableSource({
  kind: 'proxy_policies',
  id: 'proxy_id',
  columns: ['proxy_id', 'policy_name', 'mode'],
  orderBy: 'position',
});

const guardrailProviders = createTableSource({
  kind: 'guardrail_providers',
  id: 'id',
  columns: [
    'id',
    'name',
    'provider_type',
    'config',
    'credentials',
    'timeout_ms',
    'action',
    'failure_mode',
    'min_confidence',
    'direction',
    'priority',
    'alert_on_violation',
    'alert_on_failure',
    'log_content',
  ],
  where: isEnabled,
});

const guardrailAssignments = createTableSource({
  kind: 'guardrail_assignments',
  id: 'proxy_id',
  columns: ['provider_id', 'proxy_id', 'user_group_id', 'priority'],
  where: isEnabled,
});

const prompts = createTableSource({ kind: 'system_prompts', id: 'id', columns: ['id', 'name', 'content', 'active'] });
const proxyPrompts = createTableSource({
  kind: 'proxy_system_prompts',
  id: 'proxy_id',
  columns: ['proxy_id', 'system_prompt_id'],
});
const toolServers = createTableSource({
  kind: 'mcp_servers',
  id: 'proxy_id',
  columns: ['proxy_id', 'instructions', 'instructions_hash'],
});

const toolColumns = ['id', 'proxy_id', 'name', 'enabled', 'held', 'definition_hash', 'rate_limit'] as const;

const tools: SnapshotSource<ToolRow> = {
  kind: 'mcp_tools',
  idOf: ({ proxy_id: id }) => id,
  load: (reader, ids) =>
    reader
      .selectFrom('mcp_tools')
      .select(toolColumns)
      .select(({ eb }) => eb('missing_since', 'is not', null).$castTo<boolean>().as('missing'))
      .where(numbered('proxy_id', ids))
      .execute(),
};

const budgetColumns = ['monthly_budget_micro_usd', 'budget_warning_threshold', 'block_at_threshold'] as const;

const groups: SnapshotSource<GroupRow> = {
  ...groupSource,
  load: (reader, ids) =>
    reader
      .selectFrom('user_groups')
      .select(['id', 'name', 'active', 'client_certificate_subject', ...budgetColumns])
      .where(numbered('id', ids))
      .execute(),
};

const organizationBudget: SnapshotSource<BudgetRow> = {
  kind: 'organization_budget',
  load: (reader) => reader.selectFrom('organization_budget').select(budgetColumns).execute(),
};

const budgetResets: SnapshotSource<BudgetResetRow> = {
  kind: 'budget_resets',
  // Those of this month, and of the next where clocks differ.
  load: (reader) =>
    reader
      .selectFrom('budget_resets')
      .distinctOn(['month', 'level', 'subject_id'])
      .select(['id', 'level', 'subject_id', 'month', 'spent_micro_usd'])
      .where('month', '>=', sql<string>`to_char(now() at time zone 'utc', 'YYYY-MM')`)
      .where('level', 'in', ['organization', 'user_group', 'user'])
      .orderBy('month')
      .orderBy('level')
      .orderBy('subject_id')
      .orderBy('id', 'desc')
      .execute(),
};

const budgets = createTableSource({
  kind: 'budgets',
  id: 'id',
  columns: ['id', 'api_key_id', 'user_id', 'period', 'amount_micro_usd', 'warning_threshold', 'block_at_threshold'],
});

const budgetRaises: SnapshotSource<BudgetRaiseRow> = {
  kind: 'budget_raises',
  load: async (reader) => {
    const rows = await reader
      .selectFrom('budget_raises')
      .select(['user_group_id', 'api_key_id', 'user_id', 'period', 'amount_micro_usd', 'ends_at'])
      .where('ends_at', '>', sql<Date>`now()`)
      .execute();
    return rows.map(({ ends_at: endsAt, ...row }) => ({ ...row, ends_at_ms: endsAt.getTime() }));
  },
};

/** Snapshots are kept on disk, where keys of a service have no business. */
const knownOfSection = sql`
  case section when 'pricing' then document
  else jsonb_build_object('enabled', document->'enabled', 'include_content', document->'include_content') end`;

const settings: SnapshotSource<SettingsRow> = {
  kind: 'settings',
  load: (reader) =>
    reader
      .selectFrom('settings')
      .select('section')
      .select(knownOfSection.as('document'))
      .where('section', 'in', ['pricing', 'llm_observability'])
      .execute(),
};

type RowOf<Source> = Source extends SnapshotSource<infer Row> ? Row : never;

export type ProxyRow = RowOf<typeof proxies>;
export type AccessRow = RowOf<typeof access>;
export type GuardrailProviderRow = RowOf<typeof guardrailProviders>;
export type GuardrailAssignmentRow = RowOf<typeof guardrailAssignments>;
export type PromptRow = RowOf<typeof prompts>;
export type ToolServerRow = RowOf<typeof toolServers>;

export interface ToolRow extends TableRow<'mcp_tools', (typeof toolColumns)[number]> {
  readonly missing: boolean;
}

/** Without a budget where the amount is null. */
export type BudgetRow = TableRow<'organization_budget', (typeof budgetColumns)[number]>;
export interface GroupRow extends CallerGroupRow, BudgetRow {}

/** The latest of its subject and month. */
export type BudgetResetRow = TableRow<'budget_resets', 'id' | 'level' | 'subject_id' | 'month' | 'spent_micro_usd'>;

/** Of a key or a user. */
export type SubjectBudgetRow = RowOf<typeof budgets>;

export interface BudgetRaiseRow extends TableRow<
  'budget_raises',
  'user_group_id' | 'api_key_id' | 'user_id' | 'period' | 'amount_micro_usd'
> {
  readonly ends_at_ms: number;
}

/** Of the sections that traffic depends on. */
export interface SettingsRow {
  readonly section: string;
  readonly document: unknown;
}

/** The rows that a snapshot of proxies is compiled from. */
export interface SnapshotTables extends CallerTables<GroupRow>, LoginTables, OAuthTables {
  readonly proxies: RowsById<ProxyRow>;
  readonly access: RowsById<AccessRow>;
  readonly policies: RowsById<PolicyRow>;
  readonly exceptions: RowsById<PolicyException>;
  readonly proxyPolicies: RowsById<RowOf<typeof proxyPolicies>>;
  readonly guardrailProviders: RowsById<GuardrailProviderRow>;
  readonly guardrailAssignments: RowsById<GuardrailAssignmentRow>;
  readonly prompts: RowsById<PromptRow>;
  readonly proxyPrompts: RowsById<RowOf<typeof proxyPrompts>>;
  readonly tools: RowsById<ToolRow>;
  readonly toolServers: RowsById<ToolServerRow>;
  readonly organizationBudget: RowsById<BudgetRow>;
  readonly budgetResets: RowsById<BudgetResetRow>;
  readonly budgets: RowsById<SubjectBudgetRow>;
  readonly budgetRaises: RowsById<BudgetRaiseRow>;
  readonly settings: RowsById<SettingsRow>;
}

export type SnapshotRows = RowsOf<SnapshotTables>;

/** The tables a snapshot is made of. Those whose rows are many are read by the ids of what changed. */
export const snapshotSources: SnapshotSources<SnapshotTables> = {
  keys: keySource,
  sessions: sessionSource,
  users: userSource,
  members: memberSource,
  signingKeys: signingKeySource,
  grants: grantSource,
  oauthProviders: oauthProviderSource,
  identities: identitySource,
  groups,
  proxies,
  access,
  policies: policySource,
  exceptions: exceptionSource,
  proxyPolicies,
  guardrailProviders,
  guardrailAssignments,
  prompts,
  proxyPrompts,
  tools,
  toolServers,
  organizationBudget,
  budgetResets,
  budgets,
  budgetRaises,
  settings,
};

/** Of the rows above, as they are kept on disk. */
export const snapshotVersion = 12;
