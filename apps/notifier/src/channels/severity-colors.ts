import type { Severity } from '@portcullis/contracts/records';

/** As HTML writes them. */
export const severityColors: Readonly<Record<Severity, string>> = {
  Critical: '#b71c1c',
  High: '#e65100',
  Medium: '#f9a825',
  Low: '#1565c0',
};
