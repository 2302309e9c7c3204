import type { GuardrailAssignment } from '@portcullis/contracts/routes/guardrail-providers';
import type { Queryable } from '@portcullis/platform/database/database';
import type { GuardrailAssignmentsTable } from '@portcullis/platform/database/tables';
import { loadPage, whereEqual } from '@portcullis/platform/database/list-queries';
import type { Insertable, Updateable } from 'kysely';

const assignments = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('guardrail_assignments as assigned')
    .innerJoin('guardrail_providers as provider', 'provider.id', 'assigned.provider_id')
    .innerJoin('proxies', 'proxies.id', 'assigned.proxy_id')
    .leftJoin('user_groups', 'user_groups.id', 'assigned.user_group_id');

const columns = [
  'assigned.id',
  'assigned.provider_id',
  'provider.name as provider_name',
  'assigned.proxy_id',
  'proxies.name as proxy_name',
  'assigned.user_group_id',
  'user_groups.name as user_group_name',
  'assigned.priority',
  'assigned.enabled',
  'assigned.created_at',
] as const;

export interface AssignmentFilter {
  readonly provider_id?: number;
  readonly proxy_id?: number;
  readonly user_group_id?: number;
  readonly limit: number;
  readonly offset: number;
}

export async function loadAssignmentPage(database: Queryable, { limit, offset, ...filter }: AssignmentFilter) {
  const matching = whereEqual(assignments(database), {
    'assigned.provider_id': filter.provider_id,
    'assigned.proxy_id': filter.proxy_id,
    'assigned.user_group_id': filter.user_group_id,
  });
  const { rows, total } = await loadPage(matching.select(columns).orderBy('proxies.name').orderBy('assigned.id'), {
    limit,
    offset,
  });
  return { assignments: rows.map(renderAssignment), total, limit, offset };
}

export async function findAssignment(
  database: Queryable,
  providerId: number,
  id: number,
): Promise<GuardrailAssignment | undefined> {
  const row = await assignments(database)
    .select(columns)
    .where('assigned.provider_id', '=', providerId)
    .where('assigned.id', '=', id)
    .executeTakeFirst();
  return row && renderAssignment(row);
}

export async function insertAssignment(
  { kysely }: Queryable,
  values: Insertable<GuardrailAssignmentsTable>,
): Promise<number> {
  const { id } = await kysely
    .insertInto('guardrail_assignments')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateAssignmentRow(
  { kysely }: Queryable,
  id: number,
  values: Updateable<GuardrailAssignmentsTable>,
): Promise<void> {
  if (Object.keys(values).length === 0) return;
  await kysely.updateTable('guardrail_assignments').set(values).where('id', '=', id).execute();
}

export const deleteAssignmentRow = ({ kysely }: Queryable, id: number) =>
  kysely.deleteFrom('guardrail_assignments').where('id', '=', id).execute();

const renderAssignment = <Row extends { readonly created_at: Date }>(row: Row) => ({
  ...row,
  created_at: row.created_at.toISOString(),
});
