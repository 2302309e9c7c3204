import type { CallerQuota } from '../caller-quota.ts';

/** Alerts that reports raise in a minute: of one anonymous caller, of all of them, of a key, and of a user. */
const perMinute = { anonymous: 5, allAnonymous: 30, key: 30, user: 30 } as const;

/**
 * Whether a report may raise an alert: one of its own, one that stands for many, or none. An anonymous caller spends its own quota first;
 * when that of all anonymous callers is spent, one alert a minute says that there are more.
 */
export async function spendAlertQuota(
  spendQuota: (key: string, limit: number) => Promise<boolean>,
  { key, rank }: CallerQuota,
): Promise<'own' | 'gathered' | 'none'> {
  if (!(await spendQuota(`skill-report-alerts:${key}`, perMinute[rank]))) return 'none';
  if (rank !== 'anonymous' || (await spendQuota('skill-report-alerts:strangers', perMinute.allAnonymous))) return 'own';
  return (await spendQuota('skill-report-alerts:gathered', 1)) ? 'gathered' : 'none';
}
