import { sql } from 'kysely';
import type { Queryable } from '../database/database.ts';

/** What usage records say was spent so far, in micro-USD. */
export interface SpendingOfMonth {
  /** YYYY-MM */
  readonly month: string;
  readonly total: number;
  readonly byGroup: readonly (readonly [id: number, spent: number])[];
  /** YYYY-MM-DD, the day that is told apart. Copies of older versions have none of these three. */
  readonly day?: string;
  /** Of keys and users that have a budget: in the month, and on that day. */
  readonly byKey?: readonly SubjectSpending[];
  readonly byUser?: readonly SubjectSpending[];
}

type SubjectSpending = readonly [id: number, inMonth: number, onDay: number];

export async function loadSpendingOfMonth({ kysely }: Queryable, now: Date): Promise<SpendingOfMonth> {
  const day = now.toISOString().slice(0, 10);
  const month = day.slice(0, 7);
  const spent = sql<number>`sum(cost_micro_usd)::bigint`;
  const groups = await kysely
    .selectFrom('daily_usage')
    .select(['user_group_id', spent.as('spent')])
    .where('day', '>=', `${month}-01`)
    .where('day', '<=', `${month}-31`)
    .groupBy('user_group_id')
    .orderBy('user_group_id')
    .execute();
  const keys = await kysely
    .selectFrom('daily_usage')
    .select(['api_key_id as id', spent.as('spent'), sql<number>`${onDay(sql`day = ${day}`)}`.as('today')])
    .where('api_key_id', 'in', (budgets) =>
      budgets
        .selectFrom('budgets')
        .select(sql<number>`api_key_id`.as('id'))
        .where('api_key_id', 'is not', null),
    )
    .where('day', '>=', `${month}-01`)
    .where('day', '<=', `${month}-31`)
    .groupBy('api_key_id')
    .orderBy('api_key_id')
    .execute();
  const users = await kysely
    .selectFrom('hourly_usage')
    .select(['user_id as id', spent.as('spent')])
    .select(sql<number>`${onDay(sql`hour >= ${new Date(day)}`)}`.as('today'))
    .where('user_id', 'in', (budgets) =>
      budgets
        .selectFrom('budgets')
        .select(sql<number>`user_id`.as('id'))
        .where('user_id', 'is not', null),
    )
    .where('hour', '>=', new Date(`${month}-01`))
    .groupBy('user_id')
    .orderBy('user_id')
    .execute();
  return {
    month,
    total: groups.reduce((sum, row) => sum + row.spent, 0),
    byGroup: groups.map((row) => [row.user_group_id, row.spent]),
    day,
    byKey: keys.map(placed),
    byUser: users.map(placed),
  };
}

const onDay = (condition: ReturnType<typeof sql>) =>
  sql`coalesce(sum(cost_micro_usd) filter (where ${condition}), 0)::bigint`;

const placed = ({ id, spent, today }: { id: number; spent: number; today: number }): SubjectSpending => [
  id,
  spent,
  today,
];
