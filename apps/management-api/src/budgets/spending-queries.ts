import type { BudgetMonth } from '@portcullis/core/budget/budget-month';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { sql } from 'kysely';

/** Whose spending it is. Proxies have no budget, so theirs is never reset. */
export type BudgetSubject =
  | { readonly level: 'organization'; readonly id: 0 }
  | { readonly level: 'user_group' | 'user' | 'proxy'; readonly id: number };

export const organization = { level: 'organization', id: 0 } as const satisfies BudgetSubject;

export interface Spending {
  /** Since the start of the month, or since its latest reset. */
  readonly spentMicroUsd: number;
  /** In the whole month, resets or not. */
  readonly monthMicroUsd: number;
  readonly lastResetAt: Date | null;
}

const subjectColumns = { user_group: 'user_group_id', user: 'api_key_id', proxy: 'proxy_id' } as const;

export async function loadSpending(
  { kysely }: Queryable,
  { level, id }: BudgetSubject,
  month: BudgetMonth,
): Promise<Spending> {
  let usage = kysely
    .selectFrom('daily_usage')
    .select(sql<number>`coalesce(sum(cost_micro_usd), 0)::bigint`.as('cost'))
    .where('day', '>=', `${month.name}-01`)
    .where('day', '<=', `${month.name}-31`);
  if (level !== 'organization') usage = usage.where(subjectColumns[level], '=', id);
  const { cost } = await usage.executeTakeFirstOrThrow();
  const reset = await kysely
    .selectFrom('budget_resets')
    .select(['spent_micro_usd', 'reset_at'])
    .where('level', '=', level)
    .where('subject_id', '=', id)
    .where('month', '=', month.name)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return {
    spentMicroUsd: Math.max(0, cost - (reset?.spent_micro_usd ?? 0)),
    monthMicroUsd: cost,
    lastResetAt: reset?.reset_at ?? null,
  };
}

/** Notes what the month has cost so far: only what comes after it counts against the budget. */
export async function insertReset(
  database: Queryable,
  { level, id }: BudgetSubject,
  month: BudgetMonth,
  resetBy: string,
): Promise<void> {
  const { monthMicroUsd } = await loadSpending(database, { level, id } as BudgetSubject, month);
  await database.kysely
    .insertInto('budget_resets')
    .values({ level, subject_id: id, month: month.name, spent_micro_usd: monthMicroUsd, reset_by: resetBy })
    .execute();
}

/** Resets every subject of the level that has spent anything this month; answers how many. */
export async function resetEverybody(
  { kysely }: Queryable,
  level: keyof Omit<typeof subjectColumns, 'proxy'>,
  month: BudgetMonth,
  resetBy: string,
): Promise<number> {
  const subject = sql.ref(subjectColumns[level]);
  const { numAffectedRows = 0n } = await sql`
    insert into budget_resets (level, subject_id, month, spent_micro_usd, reset_by)
    select ${level}, ${subject}, ${month.name}, sum(cost_micro_usd), ${resetBy} from daily_usage
    where day >= ${`${month.name}-01`} and day <= ${`${month.name}-31`} and ${subject} > 0
    group by ${subject} having sum(cost_micro_usd) > 0 order by ${subject}`.execute(kysely);
  return Number(numAffectedRows);
}

export const loadOrganizationBudget = ({ kysely }: Queryable) =>
  kysely.selectFrom('organization_budget').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();

export const updateOrganizationBudgetRow = (
  { kysely }: Queryable,
  change: {
    readonly monthly_budget_micro_usd?: number | null;
    readonly budget_warning_threshold?: number;
    readonly block_at_threshold?: boolean;
  },
) =>
  kysely
    .updateTable('organization_budget')
    .set({ ...change, updated_at: databaseNow })
    .where('id', '=', 1)
    .execute();
