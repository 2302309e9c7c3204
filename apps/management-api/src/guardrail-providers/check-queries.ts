import type {
  CheckListQuery,
  GuardrailCheck,
  GuardrailMetrics,
  GuardrailMetricsQuery,
} from '@portcullis/contracts/routes/guardrail-checks';
import { roundMs, roundShare } from '@portcullis/core/numbers/round-to';
import type { Queryable } from '@portcullis/platform/database/database';
import { loadPage } from '@portcullis/platform/database/list-queries';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { parseRangeMs } from '../alerts/time-window.ts';

/** Fields of a filter that are columns of the same name. */
const equalFields = [
  'provider_id',
  'proxy_id',
  'user_group_id',
  'direction',
  'verdict',
  'action',
  'request_id',
] as const;

type CheckFilter = Partial<Pick<CheckListQuery, (typeof equalFields)[number] | 'category'>> & {
  readonly time_range: string;
};

/** The time comes first: it says which partitions are read. */
function conditionsOf(filter: CheckFilter, now = Date.now()): RawBuilder<SqlBool> {
  const from = new Date(now - parseRangeMs(filter.time_range));
  const equal = equalFields.flatMap((field) => {
    const value = filter[field];
    return value === undefined ? [] : [sql<SqlBool>`${sql.ref(field)} = ${value}`];
  });
  const category = filter.category === undefined ? [] : [sql<SqlBool>`jsonb_exists(categories, ${filter.category})`];
  return sql<SqlBool>`${sql.join([sql`timestamp >= ${from}`, ...equal, ...category], sql` and `)}`;
}

export async function loadCheckPage({ kysely }: Queryable, { limit, offset, ...filter }: CheckListQuery) {
  const matching = kysely.selectFrom('guardrail_checks').where(conditionsOf(filter));
  const { rows, total } = await loadPage(matching.selectAll().orderBy('timestamp', 'desc').orderBy('id', 'desc'), {
    limit,
    offset,
  });
  const checks = rows.map(({ event_id: _eventId, timestamp, ...row }) => ({
    ...row,
    timestamp: timestamp.toISOString(),
  }));
  // What is stored came through the records' types.
  return { checks: checks as GuardrailCheck[], total, limit, offset };
}

const metrics = sql`
  count(*)::int as checks,
  count(*) filter (where verdict = 'violation')::int as violations,
  count(*) filter (where verdict = 'error')::int as errors,
  count(*) filter (where action = 'block')::int as blocked,
  count(*) filter (where cached)::int as cached,
  coalesce(avg(latency_ms) filter (where not cached), 0)::double precision as average_latency_ms,
  coalesce(percentile_cont(0.95) within group (order by latency_ms) filter (where not cached), 0)::double precision
    as p95_latency_ms,
  coalesce(sum(tokens), 0)::double precision as tokens`;

type MetricsRow = Omit<
  GuardrailMetrics['providers'][number],
  'violation_rate' | 'error_rate' | 'provider_id' | 'provider_name'
>;
type ProviderFigureRow = MetricsRow & Pick<GuardrailMetrics['providers'][number], 'provider_id' | 'provider_name'>;

const withRates = <Row extends MetricsRow>(row: Row) => ({
  ...row,
  average_latency_ms: roundMs(row.average_latency_ms),
  p95_latency_ms: roundMs(row.p95_latency_ms),
  violation_rate: row.checks === 0 ? 0 : roundShare(row.violations / row.checks),
  error_rate: row.checks === 0 ? 0 : roundShare(row.errors / row.checks),
});

export async function loadGuardrailMetrics(
  { kysely }: Queryable,
  query: GuardrailMetricsQuery,
): Promise<GuardrailMetrics> {
  const conditions = conditionsOf(query);
  const all = await sql<MetricsRow>`select ${metrics} from guardrail_checks where ${conditions}`.execute(kysely);
  const providers = await sql<ProviderFigureRow>`
    select provider_id, (array_agg(provider_name order by timestamp desc))[1] as provider_name, ${metrics}
    from guardrail_checks where ${conditions} group by provider_id order by checks desc, provider_id limit 100
  `.execute(kysely);
  const categories = await sql<{ category: string; count: number }>`
    select category, count(*)::int as count
    from guardrail_checks, jsonb_array_elements_text(categories) as category
    where ${conditions} and verdict = 'violation'
    group by category order by count desc, category limit 10`.execute(kysely);
  const [total] = all.rows;
  if (total === undefined) throw new Error('A sum without a row');
  return {
    time_range: query.time_range,
    ...withRates(total),
    top_categories: categories.rows,
    providers: providers.rows.map(withRates),
  };
}
