import { policySource } from '@portcullis/platform/policies/policy-source';
import { groupSource, keySource } from '@portcullis/platform/snapshot/caller-sources';
import { memberSource, sessionSource, userSource } from '@portcullis/platform/snapshot/login-sources';
import {
  grantSource,
  identitySource,
  oauthProviderSource,
  signingKeySource,
} from '@portcullis/platform/snapshot/oauth-sources';
import { numbered, type SnapshotSources } from '@portcullis/platform/snapshot/snapshot-source';
import { sql } from 'kysely';
import type { GuardrailProviderRow, SnapshotTables } from './snapshot-rows.ts';

const budgetColumns = ['monthly_budget_micro_usd', 'budget_warning_threshold', 'block_at_threshold'] as const;

/** Snapshots are kept on disk, where keys of a service have no business. */
const knownOfSection = sql`
  case section when 'pricing' then document
  else jsonb_build_object('enabled', document->'enabled', 'include_content', document->'include_content') end`;

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
  groups: {
    ...groupSource,
    load: (reader, ids) =>
      reader
        .selectFrom('user_groups')
        .select(['id', 'name', 'active', 'client_certificate_subject', ...budgetColumns])
        .where(numbered('id', ids))
        .execute(),
  },
  proxies: {
    kind: 'proxies',
    idOf: ({ id }) => id,
    load: (reader, ids) =>
      reader
        .selectFrom('proxies')
        .select(['id', 'name', 'type', 'target', 'port', 'enabled', 'desired_state', 'generation'])
        .select(['settings', 'target_auth'])
        .where(numbered('id', ids))
        .execute(),
  },
  access: {
    kind: 'proxy_access',
    idOf: ({ id }) => id,
    load: (reader, ids) =>
      reader
        .selectFrom('proxy_access')
        .select(['id', 'user_group_id', 'proxy_id', 'permissions', 'rate_limit', 'system_prompt_id'])
        .where('active', '=', true)
        .where(numbered('id', ids))
        .execute(),
  },
  policies: policySource,
  proxyPolicies: {
    kind: 'proxy_policies',
    idOf: ({ proxy_id: id }) => id,
    load: (reader, ids) =>
      reader
        .selectFrom('proxy_policies')
        .select(['proxy_id', 'policy_name', 'mode'])
        .where(numbered('proxy_id', ids))
        .orderBy('position')
        .execute(),
  },
  guardrailProviders: {
    kind: 'guardrail_providers',
    idOf: ({ id }) => id,
    load: (reader, ids) =>
      reader
        .selectFrom('guardrail_providers')
        .select(['id', 'name', 'provider_type', 'config', 'credentials', 'timeout_ms', 'action', 'failure_mode'])
        .select(['min_confidence', 'direction', 'priority', 'alert_on_violation', 'alert_on_failure', 'log_content'])
        .where('enabled', '=', true)
        .where(numbered('id', ids))
        .$narrowType<Pick<GuardrailProviderRow, 'action' | 'failure_mode'>>()
        .execute(),
  },
  guardrailAssignments: {
    kind: 'guardrail_assignments',
    idOf: ({ proxy_id: id }) => id,
    load: (reader, ids) =>
      reader
        .selectFrom('guardrail_assignments')
        .select(['provider_id', 'proxy_id', 'user_group_id', 'priority'])
        .where('enabled', '=', true)
        .where(numbered('proxy_id', ids))
        .execute(),
  },
  prompts: {
    kind: 'system_prompts',
    idOf: ({ id }) => id,
    load: (reader, ids) =>
      reader
        .selectFrom('system_prompts')
        .select(['id', 'name', 'content', 'active'])
        .where(numbered('id', ids))
        .execute(),
  },
  proxyPrompts: {
    kind: 'proxy_system_prompts',
    idOf: ({ proxy_id: id }) => id,
    load: (reader, ids) =>
      reader
        .selectFrom('proxy_system_prompts')
        .select(['proxy_id', 'system_prompt_id'])
        .where(numbered('proxy_id', ids))
        .execute(),
  },
  tools: {
    kind: 'mcp_tools',
    idOf: ({ proxy_id: id }) => id,
    async load(reader, ids) {
      const rows = await reader
        .selectFrom('mcp_tools')
        .select(['id', 'proxy_id', 'name', 'enabled', 'held', 'missing_since', 'definition_hash', 'rate_limit'])
        .where(numbered('proxy_id', ids))
        .execute();
      return rows.map(({ missing_since, ...row }) => ({ ...row, missing: missing_since !== null }));
    },
  },
  toolServers: {
    kind: 'mcp_servers',
    idOf: ({ proxy_id: id }) => id,
    load: (reader, ids) =>
      reader
        .selectFrom('mcp_servers')
        .select(['proxy_id', 'instructions', 'instructions_hash'])
        .where(numbered('proxy_id', ids))
        .execute(),
  },
  organizationBudget: {
    kind: 'organization_budget',
    load: (reader) => reader.selectFrom('organization_budget').select(budgetColumns).execute(),
  },
  budgetResets: {
    kind: 'budget_resets',
    // Those of this month, and of the next where clocks differ.
    load: (reader) =>
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
        .execute(),
  },
  settings: {
    kind: 'settings',
    load: (reader) =>
      reader
        .selectFrom('settings')
        .select('section')
        .select(knownOfSection.as('document'))
        .where('section', 'in', ['pricing', 'llm_observability'])
        .execute(),
  },
};

/** Of the rows above, as they are kept on disk. */
export const snapshotVersion = 10;
