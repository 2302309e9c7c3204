import type { EndpointTest, GuardrailEndpoint } from '@portcullis/contracts/routes/guardrail-endpoints';
import { secretMask } from '@portcullis/contracts/settings';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { GuardrailEndpointsTable } from '@portcullis/platform/database/tables';
import { loadPage, whereContains } from '@portcullis/platform/database/list-queries';
import { openEndpointSecrets, type EndpointRow } from '@portcullis/platform/evaluation/stored-endpoint';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { sql, type Insertable, type Updateable } from 'kysely';

interface EndpointFilter {
  /** Part of the name, in any case. */
  readonly search?: string;
  readonly limit: number;
  readonly offset: number;
}

export async function loadEndpointPage({ kysely }: Queryable, { search, limit, offset }: EndpointFilter) {
  const endpoints = kysely.selectFrom('guardrail_endpoints').selectAll().orderBy('name');
  return loadPage(whereContains(endpoints, sql`name`, search), { limit, offset });
}

/** @throws {GatewayError} when there is none */
export async function findEndpointOrThrow({ kysely }: Queryable, id: number): Promise<EndpointRow> {
  const row = await kysely.selectFrom('guardrail_endpoints').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new GatewayError('not_found', { message: `There is no endpoint ${id}` });
  return row;
}

/** @throws {GatewayError} while an evaluation asks it: its results would be of two endpoints */
export async function checkUnusedOrThrow({ kysely }: Queryable, id: number): Promise<void> {
  const running = await kysely
    .selectFrom('guardrail_evaluations')
    .select(['id', 'name'])
    .where('status', '=', 'running')
    .where(({ eb, or }) => or([eb('endpoint_id', '=', id), eb('judge_endpoint_id', '=', id)]))
    .orderBy('id')
    .executeTakeFirst();
  if (running === undefined) return;
  const message = `Evaluation ${running.id} (${running.name}) is running with this endpoint: wait for its end, or cancel it`;
  throw new GatewayError('conflict', { message });
}

export async function insertEndpoint(
  { kysely }: Queryable,
  values: Insertable<GuardrailEndpointsTable>,
): Promise<number> {
  const { id } = await kysely
    .insertInto('guardrail_endpoints')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const updateEndpointRow = ({ kysely }: Queryable, id: number, values: Updateable<GuardrailEndpointsTable>) =>
  kysely
    .updateTable('guardrail_endpoints')
    .set({ ...values, updated_at: databaseNow })
    .where('id', '=', id)
    .execute();

/** The latest result stands; the endpoint itself did not change. */
export const saveEndpointTest = ({ kysely }: Queryable, id: number, test: EndpointTest) =>
  kysely
    .updateTable('guardrail_endpoints')
    .set({ last_test: JSON.stringify({ ...test, tested_at: new Date().toISOString() }) })
    .where('id', '=', id)
    .execute();

export const deleteEndpointRow = ({ kysely }: Queryable, id: number) =>
  kysely.deleteFrom('guardrail_endpoints').where('id', '=', id).execute();

/** As it may be shown: secrets are masked. */
export function renderEndpoint(row: EndpointRow, encryption: Encryption): GuardrailEndpoint {
  const { credentials: _sealed, ...same } = row;
  const { api_key: key, custom_headers: headers } = openEndpointSecrets(row, encryption);
  // What was stored had passed the same schemas.
  return {
    ...same,
    api_key: key === '' ? '' : secretMask,
    custom_headers: Object.fromEntries(Object.keys(headers).map((name) => [name, secretMask])),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  } as GuardrailEndpoint;
}
