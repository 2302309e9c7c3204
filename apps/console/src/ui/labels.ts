import type { AlertAction, AlertStatus, Severity } from '@portcullis/contracts/records';
import type { RequestOutcome } from '@portcullis/contracts/routes/requests';

/** What people read in place of the words of the API. A new word there does not compile until it has its label here. */
export const statusLabels: Readonly<Record<AlertStatus, string>> = {
  new: 'New',
  acknowledged: 'Acknowledged',
  in_progress: 'In progress',
  resolved: 'Resolved',
  false_positive: 'False positive',
};

export const actionLabels: Readonly<Record<AlertAction, string>> = {
  Block: 'Blocked',
  Redact: 'Redacted',
  Monitor: 'Let through',
  Log: 'Logged',
};

export const severityLabels: Readonly<Record<Severity, string>> = {
  Critical: 'Critical',
  High: 'High',
  Medium: 'Medium',
  Low: 'Low',
};

export const outcomeLabels: Readonly<Record<RequestOutcome, string>> = {
  passed: 'Passed',
  refused: 'Refused',
  failed: 'Failed',
};
