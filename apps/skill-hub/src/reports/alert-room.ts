import type { CallerShare } from '../caller-share.ts';

/** Alerts that reports raise in a minute: of one stranger, of all of them, of a key, and of someone who signed in. */
const perMinute = { stranger: 5, strangers: 30, key: 30, user: 30 } as const;

/**
 * Whether a report may raise an alert: one of its own, one that stands for many, or none. What one caller sends takes nothing from
 * another: a stranger uses up their own room first, and where that of all strangers is gone, one alert a minute says that there are more.
 */
export async function findAlertRoom(
  hasRoom: (key: string, limit: number) => Promise<boolean>,
  { key, rank }: CallerShare,
): Promise<'own' | 'gathered' | 'none'> {
  if (!(await hasRoom(`skill-report-alerts:${key}`, perMinute[rank]))) return 'none';
  if (rank !== 'stranger' || (await hasRoom('skill-report-alerts:strangers', perMinute.strangers))) return 'own';
  return (await hasRoom('skill-report-alerts:gathered', 1)) ? 'gathered' : 'none';
}
