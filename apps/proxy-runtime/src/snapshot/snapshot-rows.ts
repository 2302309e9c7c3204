import type { StoredCheckRule, StoredGuardrail } from '@portcullis/platform/guardrails/stored-provider';
import type { AssignedPolicy, PolicyRow } from '@portcullis/platform/policies/policy-source';
import type { CallerTables, GroupRow as CallerGroupRow } from '@portcullis/platform/snapshot/caller-sources';
import type { LoginTables } from '@portcullis/platform/snapshot/login-sources';
import type { OAuthTables } from '@portcullis/platform/snapshot/oauth-sources';
import type { RowsById, SnapshotRows as RowsOf } from '@portcullis/platform/snapshot/snapshot-source';

/** The rows that a snapshot of proxies is compiled from. */
export interface SnapshotTables extends CallerTables<GroupRow>, LoginTables, OAuthTables {
  readonly proxies: RowsById<ProxyRow>;
  readonly access: RowsById<AccessRow>;
  readonly policies: RowsById<PolicyRow>;
  readonly proxyPolicies: RowsById<ProxyPolicyRow>;
  readonly guardrailProviders: RowsById<GuardrailProviderRow>;
  readonly guardrailAssignments: RowsById<GuardrailAssignmentRow>;
  readonly prompts: RowsById<PromptRow>;
  readonly proxyPrompts: RowsById<ProxyPromptRow>;
  readonly tools: RowsById<ToolRow>;
  readonly toolServers: RowsById<ToolServerRow>;
  readonly organizationBudget: RowsById<BudgetRow>;
  readonly budgetResets: RowsById<BudgetResetRow>;
  readonly settings: RowsById<SettingsRow>;
}

export type SnapshotRows = RowsOf<SnapshotTables>;

export interface GroupRow extends CallerGroupRow, BudgetRow {}

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
  readonly id: number;
  readonly user_group_id: number;
  readonly proxy_id: number;
  readonly permissions: string;
  readonly rate_limit: number;
  readonly system_prompt_id: number | null;
}

export interface ProxyPolicyRow extends AssignedPolicy {
  readonly proxy_id: number;
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
  /** Null: all groups. */
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
