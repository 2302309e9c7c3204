import type { Breakdown } from '@portcullis/contracts/routes/budgets';
import type { ReportPeriod } from '@portcullis/contracts/report-periods';
import { daysOf, type DayRange } from '@portcullis/core/budget/budget-month';
import { renderUsd } from '@portcullis/core/budget/usd';
import { roundPercent } from '@portcullis/core/numbers/round-to';
import type { Queryable } from '@portcullis/platform/database/database';
import { sql, type RawBuilder } from 'kysely';

interface Sums {
  readonly cost_micro_usd: number;
  readonly total_tokens: number;
  readonly request_count: number;
}

type Dimension = 'user_group_id' | 'proxy_id' | 'model' | 'api_key_id' | 'day';

const sums = sql`coalesce(sum(cost_micro_usd), 0)::bigint as cost_micro_usd,
  coalesce(sum(total_tokens), 0)::bigint as total_tokens, coalesce(sum(requests), 0)::bigint as request_count`;

const within = ({ from, to }: DayRange) => sql`day between ${from} and ${to}`;

/** What a period cost, by everything that it can be told apart by; each list with highest cost first. */
export async function loadBreakdown(
  database: Queryable,
  { period, limit }: { readonly period: ReportPeriod; readonly limit: number },
  now: Date,
): Promise<Breakdown> {
  const days = daysOf(period, now);
  const { rows } = await sql<Sums>`select ${sums} from daily_usage where ${within(days)}`.execute(database.kysely);
  const total = rows[0] ?? { cost_micro_usd: 0, total_tokens: 0, request_count: 0 };
  const share = (entry: Sums) => ({
    ...renderSums(entry),
    share_percent: total.cost_micro_usd === 0 ? 0 : roundPercent((entry.cost_micro_usd / total.cost_micro_usd) * 100),
  });
  const by = <Key extends number | string>(dimension: Dimension) => sumBy<Key>(database, dimension, days, limit);

  const groups = await by<number>('user_group_id');
  const proxies = await by<number>('proxy_id');
  const models = await by<string>('model');
  const keys = await by<number>('api_key_id');
  const perDay = await by<string>('day');
  return {
    period,
    ...days,
    ...renderSums(total),
    by_user_group: groups.map((row) => ({
      user_group_id: row.key === 0 ? null : row.key,
      user_group_name: row.name,
      ...share(row),
    })),
    by_proxy: proxies.map((row) => ({ proxy_id: row.key, proxy_name: row.name, ...share(row) })),
    by_model: models.map((row) => ({ model: row.key, ...share(row) })),
    by_api_key: keys.map((row) => ({
      api_key_id: row.key === 0 ? null : row.key,
      api_key_name: row.name,
      ...share(row),
    })),
    by_day: perDay.map((row) => ({ day: row.key, ...share(row) })),
    limit,
    totals: {
      user_groups: countOf(groups),
      proxies: countOf(proxies),
      models: countOf(models),
      api_keys: countOf(keys),
      days: countOf(perDay),
    },
  };
}

interface Entry<Key> extends Sums {
  readonly key: Key;
  readonly name: string | null;
  /** How many entries there are without the limit. */
  readonly entries: number;
}

const names: Readonly<Record<Dimension, RawBuilder<unknown>>> = {
  user_group_id: sql`(select name from user_groups where id = summed.key)`,
  proxy_id: sql`(select name from proxies where id = summed.key)`,
  api_key_id: sql`(select name from api_keys where id = summed.key)`,
  model: sql`null::text`,
  day: sql`null::text`,
};

async function sumBy<Key extends number | string>(
  { kysely }: Queryable,
  dimension: Dimension,
  days: DayRange,
  limit: number,
): Promise<readonly Entry<Key>[]> {
  const order = dimension === 'day' ? sql`key` : sql`cost_micro_usd desc, key`;
  const { rows } = await sql<Entry<Key>>`
    select summed.*, ${names[dimension]} as name from (
      select ${sql.ref(dimension)} as key, ${sums}, count(*) over () as entries
      from daily_usage where ${within(days)}
      group by ${sql.ref(dimension)} order by ${order} limit ${limit}
    ) as summed order by ${order}`.execute(kysely);
  return rows;
}

const countOf = (entries: readonly { readonly entries: number }[]): number => entries[0]?.entries ?? 0;

const renderSums = ({ cost_micro_usd: costMicroUsd, ...same }: Sums) => ({
  total_cost: renderUsd(costMicroUsd),
  total_tokens: same.total_tokens,
  request_count: same.request_count,
});
