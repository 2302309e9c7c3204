import type { AlertDetail } from '@portcullis/contracts/routes/alerts';
import type { AlertStatus } from '@portcullis/contracts/records';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { endpoints } from '../../api/endpoints.ts';
import { routeKey, routeQuery } from '../../api/route-query.ts';
import { request } from '../../api/request.ts';
import { sessionQuery, useMay } from '../../api/session.ts';
import { isTyping } from '../../ui/row-keys.ts';
import { openStatuses } from './alert-search.ts';

type Move = Extract<AlertStatus, 'acknowledged' | 'resolved' | 'false_positive'>;

const moves: readonly { readonly to: Move; readonly name: string; readonly key: string }[] = [
  { to: 'acknowledged', name: 'Acknowledge', key: 'a' },
  { to: 'resolved', name: 'Resolve', key: 'r' },
  { to: 'false_positive', name: 'False positive', key: 'f' },
];

/** What an operator does with an alert, and with the others like it. */
export function AlertActions({ alert, next }: { readonly alert: AlertDetail; readonly next: ReactNode }) {
  const [reason, setReason] = useState('');
  const [also, setAlso] = useState(false);
  const mayWork = useMay('operator');
  const similar = useSimilar(alert);
  const { move, reopen, take, note, problem, busy } = useAlertChanges(alert, {
    reason,
    also: also ? similar : undefined,
  });
  const closed = alert.status === 'resolved' || alert.status === 'false_positive';

  const disabled = !mayWork || busy;

  return (
    <section className="card" aria-label="Work on this alert">
      <label className="field">
        <span>Reason or note</span>
        <textarea
          value={reason}
          maxLength={2_000}
          rows={2}
          disabled={!mayWork}
          onChange={({ target }) => setReason(target.value)}
        />
      </label>
      {similar.count > 0 && !closed && (
        <SimilarChoice count={similar.count} checked={also} disabled={!mayWork} onChange={setAlso} />
      )}
      <div className="row">
        {closed ? (
          <button type="button" disabled={disabled} onClick={reopen}>
            Reopen
          </button>
        ) : (
          <Moves alert={alert} disabled={disabled} onMove={move} />
        )}
        <button type="button" disabled={disabled} onClick={take}>
          Assign to me
        </button>
        <button type="button" disabled={disabled || reason.trim() === ''} onClick={note}>
          Add note
        </button>
        {next}
      </div>
      {!mayWork && <p>Working on alerts needs the role operator.</p>}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

interface SimilarChoiceProps {
  readonly count: number;
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly onChange: (checked: boolean) => void;
}

const SimilarChoice = ({ count, checked, disabled, onChange }: SimilarChoiceProps) => (
  <label className="row">
    <input type="checkbox" checked={checked} disabled={disabled} onChange={({ target }) => onChange(target.checked)} />
    {count === 1 ? 'and the other one that is' : `and the ${count.toLocaleString()} others that are`} open with this
    rule and caller
  </label>
);

interface MovesProps {
  readonly alert: AlertDetail;
  readonly disabled: boolean;
  readonly onMove: (to: Move) => void;
}

/** The ways on, each with its key. */
function Moves({ alert, disabled, onMove }: MovesProps) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const wanted = moves.find(({ key }) => key === event.key);
    if (wanted === undefined || isTyping(event) || disabled) return;
    event.preventDefault();
    onMove(wanted.to);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);

  return moves.map(({ to, name, key }) => (
    <button
      key={to}
      type="button"
      aria-keyshortcuts={key}
      disabled={disabled || (to === 'acknowledged' && alert.status !== 'new')}
      onClick={() => onMove(to)}
    >
      {name}
    </button>
  ));
}

interface Similar {
  readonly filter: {
    readonly rule_id: string;
    readonly policy_name: string;
    readonly user_identity?: string;
    readonly status: string;
  };
  readonly count: number;
}

/** The other open alerts of the same rule and caller. */
function useSimilar({ rule_id, policy_name, user_identity, status }: AlertDetail): Similar {
  const filter = { rule_id, policy_name, ...(user_identity !== null && { user_identity }), status: openStatuses };
  const { data } = useQuery(routeQuery(endpoints.getAlertStats, { query: filter }));
  const own = status === 'resolved' || status === 'false_positive' ? 0 : 1;
  // Commas part names in a filter: what has one cannot be asked for alone.
  const askable = ![rule_id, policy_name, user_identity].some((name) => name?.includes(','));
  return { filter, count: askable ? Math.max((data?.total ?? 0) - own, 0) : 0 };
}

function useAlertChanges(
  alert: AlertDetail,
  { reason, also }: { readonly reason: string; readonly also: Similar | undefined },
) {
  const queries = useQueryClient();
  const { data: user } = useQuery(sessionQuery);
  const given = reason.trim() === '' ? {} : { reason: reason.trim() };
  const params = { id: alert.id };
  const change = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onSettled: () =>
      Promise.all(
        [endpoints.getAlert, endpoints.listAlerts, endpoints.getAlertStats].map((changed) =>
          queries.invalidateQueries({ queryKey: routeKey(changed) }),
        ),
      ),
  });
  const moveAll = async (status: Move, { filter }: Similar) => {
    const { matched } = await request(endpoints.bulkUpdateAlerts, { body: { status, filter, dry_run: true } });
    await request(endpoints.bulkUpdateAlerts, { body: { status, filter, count: matched, ...given } });
  };
  return {
    busy: change.isPending,
    problem: change.error?.message,
    move: (status: Move) =>
      change.mutate(() =>
        also === undefined
          ? request(endpoints.setAlertStatus, { params, body: { status, ...given } })
          : moveAll(status, also),
      ),
    reopen: () => change.mutate(() => request(endpoints.reopenAlert, { params, body: given })),
    take: () =>
      user !== undefined &&
      user !== null &&
      change.mutate(() => request(endpoints.assignAlert, { params, body: { user_id: user.id } })),
    note: () => change.mutate(() => request(endpoints.addAlertNote, { params, body: { text: reason.trim() } })),
  };
}
