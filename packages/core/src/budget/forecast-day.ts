const hourMs = 3_600_000;

/** Money is micro-USD. */
export interface DayForecast {
  readonly projectedTotalMicroUsd: number;
  /** When the budget is spent at this pace; null when it lasts until midnight UTC. */
  readonly exhaustion: Date | null;
}

/** Carries the pace of a UTC day on to its end. Less than an hour counts as a whole one: a minute says nothing about a day. */
export function forecastDay(now: Date, spentMicroUsd: number, budgetMicroUsd: number): DayForecast {
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const end = start + 24 * hourMs;
  const perMs = spentMicroUsd / Math.max(hourMs, now.getTime() - start);
  const projectedTotalMicroUsd = Math.round(spentMicroUsd + perMs * (end - now.getTime()));
  if (spentMicroUsd >= budgetMicroUsd) return { projectedTotalMicroUsd, exhaustion: now };
  const atMs = now.getTime() + (budgetMicroUsd - spentMicroUsd) / perMs;
  return { projectedTotalMicroUsd, exhaustion: atMs < end ? new Date(atMs) : null };
}
