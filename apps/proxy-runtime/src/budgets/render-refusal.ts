import { budgetMonth } from '@portcullis/core/budget/budget-month';
import { renderUsd } from '@portcullis/core/budget/usd';
import { limitOf, type BudgetAccount } from '../snapshot/budget-account.ts';
import { denialSentence } from '../dialects/shared/denial-sentence.ts';
import type { RenderedDenial } from '../dialects/shared/dialect.ts';
import { spentOf, type ExchangeBudget } from '../exchange/exchange-budget.ts';

const dayMs = 86_400_000;

const resetDate = ({ period }: BudgetAccount): string =>
  (isDay(period)
    ? new Date(new Date(period).getTime() + dayMs)
    : budgetMonth(new Date(`${period}-01T00:00:00Z`)).end
  ).toISOString();

const isDay = (period: string): boolean => period.length > 'YYYY-MM'.length;

const owners = { organization: 'organization', user_group: 'user group', api_key: 'API key', user: 'user' } as const;

const nameOf = ({ level, period }: BudgetAccount): string =>
  `${isDay(period) ? 'daily' : 'monthly'} budget of the ${owners[level]}`;

/** A share as people read it. */
const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;

/** What happened to the budget, for the client, who sees the figures in the headers. */
export function renderSpentMessage(account: BudgetAccount, spentMicroUsd: number): string {
  const { rule } = account;
  const budget = nameOf(account);
  const anew = `it begins anew at ${resetDate(account)}`;
  if (spentMicroUsd >= rule.budgetMicroUsd) return `The ${budget} is spent; ${anew}`;
  return spentMicroUsd < limitOf(rule)
    ? `What is left of the ${budget} is held for requests under way; ${anew}`
    : `The ${budget} has reached the ${percent(rule.warningThreshold)} at which requests are blocked; ${anew}`;
}

/** For a client that is refused on what this process knows alone. */
export const renderLocalQuotaMessage = (account: BudgetAccount): string =>
  `What may be spent of the ${nameOf(account)} while its account is out of reach is spent`;

/**
 * The documented error of a spent budget. Its code is the status that it comes with: clients that read a 429 there would try again.
 * Many show nothing but the message, so that says what happened.
 */
export function renderNativeRefusal({ accounts, spent, estimate, refusedBy }: ExchangeBudget, denial: RenderedDenial) {
  const account = refusedBy ?? accounts[0];
  const used = account === undefined ? 0 : spentOf({ accounts, spent }, account);
  return {
    message: denialSentence(denial),
    type: 'budget_exceeded',
    code: denial.status,
    request_id: denial.requestId,
    details: account && {
      budget_type: account.level,
      budget_limit: renderUsd(account.rule.budgetMicroUsd),
      current_usage: renderUsd(used),
      estimated_cost: renderUsd(estimate),
      reset_date: resetDate(account),
    },
  };
}
