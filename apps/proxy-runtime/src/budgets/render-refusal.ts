import { budgetMonth } from '@portcullis/core/budget/budget-month';
import { renderUsd } from '@portcullis/core/budget/usd';
import type { BudgetAccount } from './budget-account.ts';
import type { ExchangeBudget } from './exchange-budget.ts';

const resetDate = ({ month }: BudgetAccount): string =>
  budgetMonth(new Date(`${month}-01T00:00:00Z`)).end.toISOString();

const owners = { organization: 'organization', user_group: 'user group' } as const;

/** For the client, who sees the figures in the headers. */
export const renderSpentMessage = (account: BudgetAccount): string =>
  `The monthly budget of the ${owners[account.level]} is spent; it begins anew at ${resetDate(account)}`;

/** For a client that is refused on what this process knows alone. */
export const renderLoneMessage = (account: BudgetAccount): string =>
  `What may be spent of the monthly budget of the ${owners[account.level]} while its account is out of reach is spent`;

/** The refusal as clients of model APIs read it. Its code is part of the shape, not the status it comes with. */
export function renderNativeRefusal({ accounts, spent, estimate, refusedBy }: ExchangeBudget): object {
  const account = refusedBy ?? accounts[0];
  const details = account && {
    budget_type: account.level,
    budget_limit: renderUsd(account.rule.budgetMicroUsd),
    current_usage: renderUsd(spent[accounts.indexOf(account)] ?? 0),
    estimated_cost: renderUsd(estimate),
    reset_date: resetDate(account),
  };
  return { error: { message: 'Budget limit exceeded', type: 'budget_exceeded', code: 429, details } };
}
