import type { Alert } from '@portcullis/contracts/events';
import { sql } from 'kysely';

/** What an alert is made of, without what concerns its row alone. */
const alertColumnNames = [
  'id',
  'request_id',
  'severity',
  'title',
  'description',
  'status',
  'action',
  'category',
  'proxy_id',
  'proxy_type',
  'source',
  'target',
  'rule_id',
  'policy_name',
  'user_identity',
  'user_type',
  'user_group',
  'raw_data',
  'created_at',
  'updated_at',
] as const;

/** The columns of an `AlertRow`, for SQL on the table `alerts` under its own name. */
export const alertColumns = sql.join([
  ...alertColumnNames.map((name) => sql.id(name)),
  sql`(select jsonb_build_object('id', users.id, 'username', users.username)
    from users where users.id = alerts.assignee_id) as assignee`,
]);

/** Columns hold nothing but what the spool's alert records have, see `AlertRecord`. */
export type AlertRow = Omit<Alert, 'created_at' | 'updated_at'> & {
  readonly created_at: Date;
  readonly updated_at: Date;
};

export const renderAlert = ({ created_at: createdAt, updated_at: updatedAt, ...same }: AlertRow): Alert => ({
  ...same,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
