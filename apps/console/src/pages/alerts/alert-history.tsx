import type { AlertDetail } from '@portcullis/contracts/routes/alerts';
import { statusLabels } from '../../ui/labels.ts';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './alert-page.module.css';

/** What people and channels did with it, the oldest first. */
export function AlertHistory({ alert }: { readonly alert: AlertDetail }) {
  const entries = [
    ...alert.timeline.map((change) => ({ at: change.at, who: change.actor, text: describeChange(change) })),
    ...alert.notes.map((note) => ({ at: note.at, who: note.author, text: note.text })),
    ...alert.deliveries.map(({ channel, status, last_error, updated_at }) => ({
      at: updated_at,
      who: channel,
      text: last_error === null ? status : `${status}: ${last_error}`,
    })),
  ].sort((one, other) => one.at.localeCompare(other.at));
  return (
    <section className="card">
      <h2>History</h2>
      {entries.length === 0 && <Empty title="No changes, notes or deliveries yet" />}
      <ol className={styles['history']}>
        {entries.map(({ at, who, text }, index) => (
          <li key={index}>
            <Time at={at} /> <strong>{who}</strong> {text}
          </li>
        ))}
      </ol>
      {alert.note_count > alert.notes.length && (
        <p>{alert.note_count - alert.notes.length} earlier notes are not shown.</p>
      )}
    </section>
  );
}

function describeChange({ event, from, to, reason, assignee }: AlertDetail['timeline'][number]): string {
  const what =
    event === 'assignee'
      ? assignee === null
        ? 'unassigned it'
        : `assigned it to ${assignee}`
      : `moved it from ${statusLabels[from]} to ${statusLabels[to]}`;
  return reason === null ? what : `${what}: ${reason}`;
}
