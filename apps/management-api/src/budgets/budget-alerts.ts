import type { AlertRecord, Severity } from '@portcullis/contracts/records';
import { renderUsd } from '@portcullis/core/budget/usd';
import { alertUuid } from '@portcullis/platform/alerts/alert-uuid';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import type { Logger } from '@portcullis/platform/log/logger';
import { insertAlertRecords } from '@portcullis/platform/spool/record-inserts';
import { renderJson } from '@portcullis/platform/spool/record-line';
import { loadBudgets, shareOf, type LoadedBudget } from './load-budgets.ts';

interface BudgetAlertOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly intervalMs?: number;
  readonly now?: () => Date;
}

/** The highest first: where several were passed at once, one alert is enough. */
const steps: readonly (readonly [percent: number, severity: Severity])[] = [
  [95, 'High'],
  [80, 'Medium'],
  [50, 'Low'],
];

const maxRemembered = 50_000;

/**
 * Raises alerts for budgets of which 50, 80 and 95 percent are spent, once each in a period, however many processes look: the
 * id of the alert is made of the budget, the period and the step.
 */
export function startBudgetAlerts({
  database,
  log,
  intervalMs = 30_000,
  now = () => new Date(),
}: BudgetAlertOptions): AsyncDisposable {
  const raised = new Set<string>();
  const raise = async (): Promise<void> => {
    const time = now();
    const budgets = await readConsistent(database, (moment) => loadBudgets(moment, time));
    const alerts = budgets.flatMap((budget) => renderBudgetAlert(budget, time) ?? []);
    const news = alerts.filter(({ event_id: id }) => !raised.has(id));
    if (news.length === 0) return;
    await insertAlertRecords(database.kysely, `[${news.map((alert) => renderJson(alert)).join(',')}]`);
    if (raised.size > maxRemembered) raised.clear();
    for (const { event_id: id } of news) raised.add(id);
  };
  return runEvery(raise, {
    intervalMs,
    onFault: (error) => void log.debug('What budgets have left could not be looked at', { reason: problemText(error) }),
  });
}

/** Undefined for a budget that is not half spent. */
function renderBudgetAlert(budget: LoadedBudget, now: Date): AlertRecord | undefined {
  const { level, id, name, period, end, spentMicroUsd, budgetMicroUsd } = budget;
  const [percent, severity] = steps.find(([step]) => shareOf(budget) * 100 >= step) ?? [];
  if (percent === undefined || severity === undefined) return undefined;
  const [spent, limit] = [renderUsd(spentMicroUsd), renderUsd(budgetMicroUsd)];
  const whose = level === 'organization' ? 'the organization' : `${kinds[level]} ${name}`;
  return {
    kind: 'alert',
    event_id: alertUuid(`budget ${level} ${id} ${period} ${end.toISOString()} ${percent}`),
    timestamp: now.toISOString(),
    request_id: null,
    severity,
    title: `Budget Spent To ${percent} Percent`,
    description: `${spent.toFixed(2)} of ${limit.toFixed(2)} USD of the ${periods[period]} budget of ${whose} are spent; it begins anew at ${end.toISOString()}.`,
    action: 'Log',
    category: 'Other',
    proxy_id: null,
    proxy_type: null,
    source: 'gateway',
    target: name,
    rule_id: `BUDGET_${percent}`,
    policy_name: 'budgets',
    user_identity: level === 'api_key' || level === 'user' ? name : null,
    user_type: level === 'api_key' ? 'apikey' : level === 'user' ? 'user' : null,
    user_group: level === 'user_group' ? name : null,
    raw_data: { level, id, period, percent, spent, limit },
  };
}

const kinds = { user_group: 'the user group', api_key: 'the API key', user: 'the user' } as const;
const periods = { day: 'daily', month: 'monthly' } as const;
