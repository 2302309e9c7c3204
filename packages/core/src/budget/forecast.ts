const dayMs = 86_400_000;

/** Money is micro-USD. */
export interface ForecastInput {
  readonly now: Date;
  /** Since when the spending counts: the start of the month, or the last reset in it. */
  readonly since: Date;
  /** When the month ends and spending begins anew. */
  readonly monthEnd: Date;
  readonly spentMicroUsd: number;
  readonly budgetMicroUsd: number | null;
  /** Share of the budget, 0-1. */
  readonly warningThreshold: number;
}

export interface Forecast {
  readonly dailyAverageMicroUsd: number;
  /** Whole days after today until the month ends. */
  readonly daysRemaining: number;
  readonly projectedTotalMicroUsd: number;
  /** What goes beyond the budget, 0 when nothing does; null without a budget. */
  readonly projectedOverrunMicroUsd: number | null;
  /** When the budget is spent at this pace; null when it lasts until the month ends. */
  readonly exhaustion: Date | null;
  readonly recommendations: readonly string[];
}

/**
 * Carries the average day on to the end of the month. Less than a day counts as a whole one: an hour
 * says nothing about a month.
 */
export function forecastSpending(input: ForecastInput): Forecast {
  const { now, since, monthEnd, spentMicroUsd, budgetMicroUsd } = input;
  const dailyAverage = spentMicroUsd / Math.max(1, (now.getTime() - since.getTime()) / dayMs);
  const daysLeft = Math.max(0, (monthEnd.getTime() - now.getTime()) / dayMs);
  const projectedTotalMicroUsd = Math.round(spentMicroUsd + dailyAverage * daysLeft);
  const overrun = budgetMicroUsd === null ? null : Math.max(0, projectedTotalMicroUsd - budgetMicroUsd);
  const forecast = {
    dailyAverageMicroUsd: Math.round(dailyAverage),
    daysRemaining: Math.floor(daysLeft),
    projectedTotalMicroUsd,
    projectedOverrunMicroUsd: overrun,
    exhaustion: findExhaustion(input, dailyAverage),
  };
  return { ...forecast, recommendations: recommend(input, forecast) };
}

function findExhaustion({ now, monthEnd, spentMicroUsd, budgetMicroUsd }: ForecastInput, dailyAverage: number) {
  if (budgetMicroUsd === null) return null;
  if (spentMicroUsd >= budgetMicroUsd) return now;
  if (dailyAverage === 0) return null;
  const atMs = now.getTime() + ((budgetMicroUsd - spentMicroUsd) / dailyAverage) * dayMs;
  return atMs < monthEnd.getTime() ? new Date(atMs) : null;
}

type Outlook = Omit<Forecast, 'recommendations'>;

function recommend(input: ForecastInput, { projectedOverrunMicroUsd, exhaustion }: Outlook): readonly string[] {
  const { budgetMicroUsd, spentMicroUsd, warningThreshold } = input;
  if (budgetMicroUsd === null) return ['Set a monthly budget, so that this forecast has something to be held against'];
  if (spentMicroUsd >= budgetMicroUsd)
    return ['The budget is spent: raise it, or reset it when the overrun is accepted'];
  const advice: string[] = [];
  if (exhaustion !== null) {
    advice.push(`At this pace the budget is spent on ${exhaustion.toISOString().slice(0, 10)}`);
    advice.push('Look at the breakdown by model and user group for what costs most, and move it to cheaper models');
  }
  if (spentMicroUsd >= budgetMicroUsd * warningThreshold) advice.push('The warning threshold has been passed');
  if (projectedOverrunMicroUsd === 0 && advice.length === 0)
    advice.push('Spending stays within the budget at this pace');
  return advice;
}
