import type { EventSeverity } from '@portcullis/contracts/gateway-events';

/** As HTML writes them. */
export const severityColors: Readonly<Record<EventSeverity, string>> = {
  Critical: '#b71c1c',
  High: '#e65100',
  Medium: '#f9a825',
  Low: '#1565c0',
  Info: '#607d8b',
};
