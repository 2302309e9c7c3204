import type { AlertStatus, Severity } from '@portcullis/contracts/records';
import type { RequestOutcome } from '@portcullis/contracts/routes/requests';
import styles from './badge.module.css';
import { outcomeLabels, severityLabels, statusLabels } from './labels.ts';

export const SeverityBadge = ({ severity }: { readonly severity: Severity }) => (
  <span className={`${styles['badge']} ${styles[severity.toLowerCase()]}`}>{severityLabels[severity]}</span>
);

export const StatusBadge = ({ status }: { readonly status: AlertStatus }) => (
  <span className={styles['status']} data-open={status !== 'resolved' && status !== 'false_positive'}>
    {statusLabels[status]}
  </span>
);

export const OutcomeBadge = ({ outcome, code }: { readonly outcome: RequestOutcome; readonly code: number }) => (
  <span className={`${styles['badge']} ${styles[outcome]}`}>
    {outcomeLabels[outcome]} {code}
  </span>
);
