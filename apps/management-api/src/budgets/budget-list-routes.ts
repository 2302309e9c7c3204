import {
  endBudgetRaise,
  listBudgetRaises,
  listBudgets,
  raiseBudget,
  removeKeyBudget,
  removeUserBudget,
  setKeyBudget,
  setUserBudget,
  type Budget,
  type BudgetPeriod,
  type BudgetQuery,
  type BudgetRaiseCreation,
  type SubjectBudget,
} from '@portcullis/contracts/routes/budget-list';
import { microUsdOf } from '@portcullis/core/budget/usd';
import { audited, type AuditedCall } from '@portcullis/platform/audit/audited';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { loadBudgets, renderBudget, shareOf, type LoadedBudget } from './load-budgets.ts';
import { endRaise, insertRaise, listRaiseRows, renderRaise } from './raise-queries.ts';

export const budgetListRoutes = (database: Database): BoundRoute[] => [
  bind(listBudgets, async ({ query }) => {
    const now = new Date();
    const found = filterBudgets(await readConsistent(database, (moment) => loadBudgets(moment, now)), query, now);
    return {
      data: found.slice(query.offset, query.offset + query.limit),
      headers: { 'x-total-count': String(found.length) },
    };
  }),

  bind(setKeyBudget, async (call) => setBudget(database, call, 'api_key')),
  bind(removeKeyBudget, async (call) => removeBudget(database, call, 'api_key')),
  bind(setUserBudget, async (call) => setBudget(database, call, 'user')),
  bind(removeUserBudget, async (call) => removeBudget(database, call, 'user')),

  bind(listBudgetRaises, async ({ query }) => {
    const now = new Date();
    const { rows, total } = await readConsistent(database, (moment) => listRaiseRows(moment, query, now));
    return { data: rows.map(renderRaise), headers: { 'x-total-count': String(total) } };
  }),

  bind(raiseBudget, async (call) => {
    const { body } = call;
    const now = new Date();
    checkSubjectOrThrow(body);
    const row = await audited(
      database,
      call,
      async (transaction) => {
        const budget = await findBudgetOrThrow(transaction, { ...body, id: body.subject_id ?? 0 }, now);
        return insertRaise(transaction, body, { endsAt: endOrThrow(body.ends_at, budget.end, now), by: nameOf(call) });
      },
      (created) => ({
        event: 'budget.raised',
        resource: { type: `${body.level}_budget`, id: body.subject_id ?? 0, name: null },
        after: renderRaise(created),
      }),
    );
    return { data: renderRaise(row), message: `The budget is raised until ${row.ends_at.toISOString()}` };
  }),

  bind(endBudgetRaise, async (call) => {
    const row = await audited(
      database,
      call,
      (transaction) => endRaise(transaction, call.params.id, new Date()),
      (ended) =>
        ended && {
          event: 'budget.updated',
          resource: { type: 'budget_raise', id: ended.id, name: null },
          after: renderRaise(ended),
        },
    );
    if (row === undefined) {
      throw new GatewayError('not_found', { message: `There is no raise ${call.params.id} that has not ended` });
    }
    return { data: renderRaise(row), message: 'The raise has ended' };
  }),
];

/** The fullest first. */
function filterBudgets(
  budgets: readonly LoadedBudget[],
  { level, period, state, search = '' }: BudgetQuery,
  now: Date,
): readonly Budget[] {
  const sought = search.toLowerCase();
  return budgets
    .filter((budget) => level === undefined || budget.level === level)
    .filter((budget) => period === undefined || budget.period === period)
    .filter(({ name }) => name.toLowerCase().includes(sought))
    .map((budget) => ({ budget: renderBudget(budget, now), share: shareOf(budget) }))
    .filter(({ budget }) => state === undefined || budget.state === state)
    .toSorted((one, other) => other.share - one.share || one.budget.name.localeCompare(other.budget.name))
    .map(({ budget }) => budget);
}

type BudgetPlace = Pick<LoadedBudget, 'level' | 'id'> & { readonly period?: BudgetPeriod };

async function findBudgetOrThrow(
  database: Queryable,
  { level, id, period = 'month' }: BudgetPlace,
  now: Date,
): Promise<LoadedBudget> {
  const budgets = await loadBudgets(database, now);
  const found = budgets.find((one) => one.level === level && one.id === id && one.period === period);
  if (found !== undefined) return found;
  const whose = level === 'organization' ? 'the organization' : `${level.replace('_', ' ')} ${id}`;
  throw new GatewayError('not_found', { message: `There is no budget of ${whose} for a ${period}` });
}

interface SubjectCall extends AuditedCall {
  readonly params: { readonly id: number; readonly period: BudgetPeriod };
}

const columns = { api_key: 'api_key_id', user: 'user_id' } as const;
type SubjectLevel = keyof typeof columns;

async function setBudget(
  database: Database,
  call: SubjectCall & { readonly body: SubjectBudget },
  level: SubjectLevel,
) {
  const { id, period } = call.params;
  const now = new Date();
  const budget = await audited(
    database,
    call,
    async (transaction) => {
      await checkExistsOrThrow(transaction, level, id);
      await saveBudget(transaction, level, call);
      return renderBudget(await findBudgetOrThrow(transaction, { level, id, period }, now), now);
    },
    (after) => ({ event: 'budget.updated', resource: { type: `${level}_budget`, id, name: after.name }, after }),
  );
  return { data: budget, message: 'Budget saved' };
}

async function saveBudget(
  { kysely }: Queryable,
  level: SubjectLevel,
  { params: { id, period }, body }: SubjectCall & { readonly body: SubjectBudget },
): Promise<void> {
  const values = {
    amount_micro_usd: microUsdOf(body.amount),
    warning_threshold: body.warning_threshold ?? 0.8,
    block_at_threshold: body.block_at_threshold ?? false,
  };
  await kysely
    .insertInto('budgets')
    .values({ [columns[level]]: id, period, ...values })
    .onConflict((conflict) =>
      conflict
        .columns([columns[level], 'period'])
        .where(columns[level], 'is not', null)
        .doUpdateSet({ ...values, updated_at: databaseNow }),
    )
    .execute();
}

async function removeBudget(database: Database, call: SubjectCall, level: SubjectLevel) {
  const { id, period } = call.params;
  await audited(
    database,
    call,
    async (transaction) => {
      const now = new Date();
      const before = renderBudget(await findBudgetOrThrow(transaction, { level, id, period }, now), now);
      const { kysely } = transaction;
      await kysely.deleteFrom('budgets').where(columns[level], '=', id).where('period', '=', period).execute();
      return before;
    },
    (before) => ({ event: 'budget.updated', resource: { type: `${level}_budget`, id, name: before.name }, before }),
  );
  return { message: 'Budget removed' };
}

async function checkExistsOrThrow({ kysely }: Queryable, level: SubjectLevel, id: number): Promise<void> {
  const table = level === 'api_key' ? 'api_keys' : 'users';
  const row = await kysely.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
  if (row !== undefined) return;
  throw new GatewayError('not_found', { message: `There is no ${level === 'api_key' ? 'API key' : 'user'} ${id}` });
}

function checkSubjectOrThrow({ level, subject_id: id }: BudgetRaiseCreation): void {
  if ((level === 'organization') === (id === undefined)) return;
  const rule =
    id === undefined ? `must be the id of the ${level.replace('_', ' ')}` : 'must not come with organization';
  throw new GatewayError('bad_request', { problems: [{ path: '/subject_id', rule }] });
}

const maxRaiseMs = 366 * 86_400_000;

function endOrThrow(given: string | undefined, periodEnd: Date, now: Date): Date {
  if (given === undefined) return periodEnd;
  const end = new Date(given);
  if (end > now && end.getTime() - now.getTime() <= maxRaiseMs) return end;
  throw new GatewayError('bad_request', {
    problems: [{ path: '/ends_at', rule: 'must be a time within the next 366 days' }],
  });
}

const nameOf = ({ caller }: AuditedCall): string => (caller?.kind === 'user' ? caller.username : '');
