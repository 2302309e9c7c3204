import type { AgentCard } from '@portcullis/core/a2a/agent-card';
import { groupSource, keySource, type CallerTables } from '@portcullis/platform/snapshot/caller-sources';
import type { PolicyException } from '@portcullis/core/policy/exceptions/exception-table';
import { exceptionSource } from '@portcullis/platform/policies/exception-source';
import { policySource, type PolicyRow } from '@portcullis/platform/policies/policy-source';
import {
  numbered,
  type RowsById,
  type SnapshotSource,
  type SnapshotSources,
} from '@portcullis/platform/snapshot/snapshot-source';
import type { AgentStatus } from '@portcullis/contracts/routes/agents';

export interface AgentSourceRow {
  readonly id: number;
  readonly name: string;
  readonly status: AgentStatus;
  readonly card: AgentCard;
  /** The URL to call in place of those in its card. */
  readonly target_url: string | null;
  /** Sealed. */
  readonly target_auth: string | null;
}

export interface AccessSourceRow {
  readonly id: number;
  readonly agent_id: number;
  readonly user_group_id: number;
  readonly rate_limit: number;
}

/** What calls of agents are decided by. */
export interface HubTables extends CallerTables {
  readonly agents: RowsById<AgentSourceRow>;
  readonly access: RowsById<AccessSourceRow>;
  readonly policies: RowsById<PolicyRow>;
  readonly exceptions: RowsById<PolicyException>;
}

const agentSource: SnapshotSource<AgentSourceRow> = {
  kind: 'agents',
  idOf: ({ id }) => id,
  async load(reader, ids) {
    const rows = await reader
      .selectFrom('agents')
      .select(['id', 'name', 'status', 'card', 'target_url', 'target_auth'])
      .where(numbered('id', ids))
      .execute();
    return rows.map((row) => ({
      ...row,
      status: row.status as AgentStatus,
      // It was read when it was stored.
      card: row.card as unknown as AgentCard,
    }));
  },
};

const accessSource: SnapshotSource<AccessSourceRow> = {
  kind: 'agent_access',
  idOf: ({ id }) => id,
  load: (reader, ids) =>
    reader
      .selectFrom('agent_access')
      .select(['id', 'agent_id', 'user_group_id', 'rate_limit'])
      .where('active', '=', true)
      .where(numbered('id', ids))
      .execute(),
};

export const hubSources: SnapshotSources<HubTables> = {
  keys: keySource,
  groups: groupSource,
  agents: agentSource,
  access: accessSource,
  policies: policySource,
  exceptions: exceptionSource,
};
