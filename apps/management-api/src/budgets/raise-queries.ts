import type {
  BudgetLevel,
  BudgetPeriod,
  BudgetRaise,
  BudgetRaiseCreation,
} from '@portcullis/contracts/routes/budget-list';
import { microUsdOf, renderUsd } from '@portcullis/core/budget/usd';
import type { Queryable } from '@portcullis/platform/database/database';
import { loadPage } from '@portcullis/platform/database/list-queries';
import type { BudgetRaisesTable } from '@portcullis/platform/database/tables';
import type { Selectable } from 'kysely';

type RaiseRow = Selectable<BudgetRaisesTable>;

/** What budgets are raised by, by `raiseKey`. */
export type SummedRaises = ReadonlyMap<string, { readonly amountMicroUsd: number; readonly firstEnd: Date }>;

export const raiseKey = (level: BudgetLevel, id: number, period: BudgetPeriod): string => `${level}:${id}:${period}`;

export async function sumRaises({ kysely }: Queryable, now: Date): Promise<SummedRaises> {
  const rows = await kysely.selectFrom('budget_raises').selectAll().where('ends_at', '>', now).execute();
  const sums = new Map<string, { amountMicroUsd: number; firstEnd: Date }>();
  for (const row of rows) {
    const { level, id } = subjectOf(row);
    const key = raiseKey(level, id, row.period as BudgetPeriod);
    const before = sums.get(key);
    sums.set(key, {
      amountMicroUsd: row.amount_micro_usd + (before?.amountMicroUsd ?? 0),
      firstEnd: before !== undefined && before.firstEnd < row.ends_at ? before.firstEnd : row.ends_at,
    });
  }
  return sums;
}

function subjectOf(row: RaiseRow): { readonly level: BudgetLevel; readonly id: number } {
  if (row.api_key_id !== null) return { level: 'api_key', id: row.api_key_id };
  if (row.user_id !== null) return { level: 'user', id: row.user_id };
  if (row.user_group_id !== null) return { level: 'user_group', id: row.user_group_id };
  return { level: 'organization', id: 0 };
}

export const listRaiseRows = (
  { kysely }: Queryable,
  page: { readonly limit: number; readonly offset: number },
  now: Date,
) =>
  loadPage(
    kysely.selectFrom('budget_raises').selectAll().where('ends_at', '>', now).orderBy('ends_at').orderBy('id'),
    page,
  );

export const insertRaise = (
  { kysely }: Queryable,
  { level, subject_id: id, period = 'month', amount, reason = '' }: BudgetRaiseCreation,
  { endsAt, by }: { readonly endsAt: Date; readonly by: string },
): Promise<RaiseRow> =>
  kysely
    .insertInto('budget_raises')
    .values({
      user_group_id: level === 'user_group' ? id : null,
      api_key_id: level === 'api_key' ? id : null,
      user_id: level === 'user' ? id : null,
      period,
      amount_micro_usd: microUsdOf(amount),
      ends_at: endsAt,
      reason,
      created_by: by,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Undefined where there is none that has not ended. */
export const endRaise = ({ kysely }: Queryable, id: number, now: Date): Promise<RaiseRow | undefined> =>
  kysely
    .updateTable('budget_raises')
    .set({ ends_at: now })
    .where('id', '=', id)
    .where('ends_at', '>', now)
    .returningAll()
    .executeTakeFirst();

export function renderRaise(row: RaiseRow): BudgetRaise {
  const { level, id } = subjectOf(row);
  return {
    id: row.id,
    level,
    subject_id: level === 'organization' ? null : id,
    period: row.period as BudgetPeriod,
    amount: renderUsd(row.amount_micro_usd),
    ends_at: row.ends_at.toISOString(),
    reason: row.reason,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
  };
}
