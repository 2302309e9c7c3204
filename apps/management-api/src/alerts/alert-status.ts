import type { AlertStatus } from '@portcullis/contracts/records';

/** The statuses an alert may be moved to. Steps may be skipped; there is no way back. */
const forward: Readonly<Record<AlertStatus, readonly AlertStatus[]>> = {
  new: ['acknowledged', 'in_progress', 'resolved', 'false_positive'],
  acknowledged: ['in_progress', 'resolved', 'false_positive'],
  in_progress: ['resolved', 'false_positive'],
  false_positive: ['resolved'],
  resolved: [],
};

export const nextStatuses = (status: AlertStatus): readonly AlertStatus[] => forward[status];

/** What was closed by mistake is new again; nothing else goes back. */
export const isClosed = (status: AlertStatus): boolean => status === 'resolved' || status === 'false_positive';

/** Other words for two of the statuses, as older clients have them. */
const synonyms: Readonly<Record<string, AlertStatus>> = { open: 'new', investigating: 'in_progress' };

/** Reads a status in any case and by its synonyms. */
export function parseAlertStatus(text: string): AlertStatus | undefined {
  const word = text.trim().toLowerCase();
  const status = Object.hasOwn(synonyms, word) ? synonyms[word] : word;
  return (Object.keys(forward) as AlertStatus[]).find((known) => known === status);
}
