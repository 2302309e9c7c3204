import type { GuardrailType } from '@portcullis/contracts/guardrail-config';
import type { GuardrailProvider } from '@portcullis/contracts/routes/guardrail-providers';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { GuardrailProvidersTable } from '@portcullis/platform/database/tables';
import { countRows, whereContains, whereEqual } from '@portcullis/platform/database/list-queries';
import { sql, type Insertable, type Updateable } from 'kysely';

const providers = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('guardrail_providers')
    .leftJoin('guardrail_provider_health as health', 'health.provider_id', 'guardrail_providers.id')
    .selectAll('guardrail_providers')
    .select([
      'health.status as health_status',
      'health.message as health_message',
      'health.latency_ms as health_latency_ms',
      'health.checked_at as health_checked_at',
      sql<number>`(select count(*) from guardrail_assignments where provider_id = guardrail_providers.id)`.as(
        'assignment_count',
      ),
      sql<number>`(select count(*) from (
        select 1 from guardrail_checks
        where provider_id = guardrail_providers.id and verdict = 'error' and action <> 'block'
          and timestamp > now() - interval '24 hours'
        limit 10000
      ) as unchecked)`.as('passed_unchecked'),
    ]);

export type ProviderRow = Awaited<ReturnType<ReturnType<typeof providers>['execute']>>[number];

export interface ProviderFilter {
  readonly provider_type?: GuardrailType;
  readonly enabled?: boolean;
  /** Part of the name, in any case. */
  readonly search?: string;
  readonly limit: number;
  readonly offset: number;
}

export async function loadProviderPage(database: Queryable, filter: ProviderFilter) {
  const { provider_type, enabled, search, limit, offset } = filter;
  const equal = whereEqual(database.kysely.selectFrom('guardrail_providers'), { provider_type, enabled });
  const matching = whereContains(equal, sql`name`, search);
  const total = await countRows(matching);
  const rows = await providers(database)
    .where('guardrail_providers.id', 'in', matching.select('id').orderBy('name').limit(limit).offset(offset))
    .orderBy('name')
    .execute();
  return { rows, total };
}

export const findProvider = (database: Queryable, id: number): Promise<ProviderRow | undefined> =>
  providers(database).where('guardrail_providers.id', '=', id).executeTakeFirst();

export async function insertProvider(
  { kysely }: Queryable,
  values: Insertable<GuardrailProvidersTable>,
): Promise<number> {
  const { id } = await kysely
    .insertInto('guardrail_providers')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const updateProviderRow = ({ kysely }: Queryable, id: number, values: Updateable<GuardrailProvidersTable>) =>
  kysely
    .updateTable('guardrail_providers')
    .set({ ...values, updated_at: databaseNow })
    .where('id', '=', id)
    .execute();

export const deleteProviderRow = ({ kysely }: Queryable, id: number) =>
  kysely.deleteFrom('guardrail_providers').where('id', '=', id).execute();

/** The latest result stands. A provider that was deleted meanwhile has none. */
export const saveHealth = (
  { kysely }: Queryable,
  id: number,
  health: { readonly status: 'healthy' | 'unhealthy'; readonly message: string | null; readonly latency_ms: number },
) =>
  sql`
    insert into guardrail_provider_health (provider_id, status, message, latency_ms, checked_at)
    select id, ${health.status}, ${health.message}, ${health.latency_ms}, now() from guardrail_providers
    where id = ${id}
    on conflict (provider_id) do update set
      status = excluded.status, message = excluded.message,
      latency_ms = excluded.latency_ms, checked_at = excluded.checked_at`.execute(kysely);

export type DueProvider = Awaited<ReturnType<typeof findDueProviders>>[number];

/**
 * The enabled and assigned providers whose health was looked at before a time, or never. The process that finds one has it:
 * it is not due again until the next time.
 */
export async function findDueProviders(database: Queryable, before: Date) {
  const due = await providers(database)
    .where('enabled', '=', true)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('guardrail_assignments').whereRef('provider_id', '=', 'guardrail_providers.id')),
    )
    .where((where) => where.or([where('health.checked_at', 'is', null), where('health.checked_at', '<', before)]))
    .execute();
  const taken = await database.kysely
    .updateTable('guardrail_provider_health')
    .set({ checked_at: new Date() })
    .where('checked_at', '<', before)
    .where('provider_id', '=', sql<number>`any(${due.map(({ id }) => id)})`)
    .returning('provider_id')
    .execute();
  const ids = new Set(taken.map(({ provider_id: id }) => id));
  return due.filter(({ id, health_checked_at: at }) => at === null || ids.has(id));
}

/** Milliseconds as people read them, to a tenth. */
export const roundLatency = (ms: number): number => Math.round(ms * 10) / 10;

export const renderHealth = (row: ProviderRow): GuardrailProvider['health'] => ({
  status: row.health_status === 'healthy' || row.health_status === 'unhealthy' ? row.health_status : 'unknown',
  message: row.health_message,
  latency_ms: row.health_latency_ms === null ? null : roundLatency(row.health_latency_ms),
  checked_at: row.health_checked_at?.toISOString() ?? null,
});

/** @param credentials as they may be shown */
export function renderProvider(row: ProviderRow, credentials: GuardrailProvider['credentials']): GuardrailProvider {
  const {
    health_status: _status,
    health_message: _message,
    health_latency_ms: _latencyMs,
    health_checked_at: _checkedAt,
    ...same
  } = row;
  // What was stored had passed the same schemas.
  return {
    ...same,
    credentials,
    health: renderHealth(row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  } as GuardrailProvider;
}
