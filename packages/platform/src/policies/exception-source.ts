import type { PolicyException } from '@portcullis/core/policy/exceptions/exception-table';
import { sql } from 'kysely';
import { numbered, type SnapshotSource } from '../snapshot/snapshot-source.ts';

/** The exceptions that were neither ended nor have expired. */
export const exceptionSource: SnapshotSource<PolicyException> = {
  kind: 'policy_exceptions',
  idOf: ({ id }) => id,
  load: (reader, ids) =>
    reader
      .selectFrom('policy_exceptions')
      .select(['id', 'rule_id as ruleId', 'policy_name as policyName', 'proxy_id as proxyId', 'agent_id as agentId'])
      .select(['user_group_id as userGroupId', 'tool'])
      .select(sql<number>`(extract(epoch from ends_at) * 1000)::double precision`.as('endsAtMs'))
      .where('ended_at', 'is', null)
      .where('ends_at', '>', sql<Date>`now()`)
      .where(numbered('id', ids))
      .execute(),
};
