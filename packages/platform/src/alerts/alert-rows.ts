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

const columnsOf = (names: readonly string[]) =>
  sql.join([
    ...names.map((name) => sql.id(name)),
    sql`(select jsonb_build_object('id', users.id, 'username', users.username)
    from users where users.id = alerts.assignee_id) as assignee`,
  ]);

/** The columns of an `AlertRow`, for SQL on the table `alerts` under its own name. */
export const alertColumns = columnsOf(alertColumnNames);
/** Without `raw_data`, which is kept apart from the row where it is long. */
export const briefAlertColumns = columnsOf(alertColumnNames.filter((name) => name !== 'raw_data'));

/** Columns hold nothing but what the spool's alert records have, see `AlertRecord`. */
export type AlertRow = Omit<Alert, 'created_at' | 'updated_at'> & {
  readonly created_at: Date;
  readonly updated_at: Date;
};

export const renderAlert = <Row extends Pick<AlertRow, 'created_at' | 'updated_at'>>(
  row: Row,
): Omit<Row, 'created_at' | 'updated_at'> & Pick<Alert, 'created_at' | 'updated_at'> => ({
  ...row,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
