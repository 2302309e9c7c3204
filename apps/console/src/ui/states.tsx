import type { ReactNode } from 'react';
import { ApiError } from '../api/request.ts';
import styles from './states.module.css';

export const Loading = ({ what }: { readonly what: string }) => (
  <p className={styles['state']} role="status">
    Loading {what} …
  </p>
);

/** Nothing is there, or nothing that the filters let through: the two differ in what helps. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className={styles['state']}>
    <p>
      <strong>{title}</strong>
    </p>
    {children}
  </div>
);

/** A reading failed. The id finds the request in the logs of the gateway. */
export function Failed({
  what,
  error,
  onRetry,
}: {
  readonly what: string;
  readonly error: Error;
  readonly onRetry: () => void;
}) {
  const refused = error instanceof ApiError && error.status === 403;
  return (
    <div className={styles['state']} role="alert">
      <p>
        <strong>
          {refused ? `${what} cannot be shown: your role does not let you see this.` : `${what} could not be loaded.`}
        </strong>
      </p>
      <p>{error.message}</p>
      {error instanceof ApiError && error.requestId !== undefined && (
        <p>
          Request <code>{error.requestId}</code>
        </p>
      )}
      {!refused && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
