/** Stretches of whole UTC days that figures are asked for; those that end today include it. */
export const reportPeriods = [
  'today',
  'this_month',
  'last_month',
  'last_7_days',
  'last_30_days',
  'last_90_days',
  'this_year',
] as const;
export type ReportPeriod = (typeof reportPeriods)[number];
