import type { GuardrailType } from '@portcullis/contracts/guardrail-config';
import type { GuardrailProvider } from '@portcullis/contracts/routes/guardrail-providers';
import type { Queryable } from '@portcullis/platform/database/database';
import type { GuardrailProvidersTable } from '@portcullis/platform/database/tables';
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
  const { provider_type: type, enabled, search, limit, offset } = filter;
  const matching = database.kysely
    .selectFrom('guardrail_providers')
    .$if(type !== undefined, (query) => query.where('provider_type', '=', type as string))
    .$if(enabled !== undefined, (query) => query.where('enabled', '=', enabled as boolean))
    .$if(search !== undefined, (query) => query.where(sql<boolean>`strpos(lower(name), lower(${search})) > 0`));
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
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
    .set({ ...values, updated_at: new Date() })
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

export const renderHealth = (row: ProviderRow): GuardrailProvider['health'] => ({
  status: row.health_status === 'healthy' || row.health_status === 'unhealthy' ? row.health_status : 'unknown',
  message: row.health_message,
  latency_ms: row.health_latency_ms,
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
