import type { Approval } from '@portcullis/contracts/routes/approvals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { endpoints } from '../../api/endpoints.ts';
import { routeKey } from '../../api/route-query.ts';
import { ApiError, request } from '../../api/request.ts';
import { useMay } from '../../api/session.ts';

/** Both ways weigh the same. What is decided about is what was shown: the request repeats its version. */
export function ApprovalDecision({ approval }: { readonly approval: Approval }) {
  const [note, setNote] = useState('');
  const [name, setName] = useState('');
  const mayDecide = useMay('admin');
  const queries = useQueryClient();
  const decide = useMutation({
    mutationFn: (decision: 'approve' | 'reject') =>
      request(decision === 'approve' ? endpoints.grantApproval : endpoints.rejectApproval, {
        params: { id: approval.id },
        body: { version: approval.version, ...(note.trim() !== '' && { note: note.trim() }) },
      }),
    onSettled: () =>
      Promise.all(
        [endpoints.getApproval, endpoints.listApprovals].map((changed) =>
          queries.invalidateQueries({ queryKey: routeKey(changed) }),
        ),
      ),
  });
  if (approval.status !== 'pending') return null;

  // What is critical is not approved by a slip of the hand.
  const asked = approval.severity === 'Critical' ? (approval.name ?? approval.id) : undefined;
  const disabled = !mayDecide || decide.isPending;
  return (
    <section className="card" aria-label="Decide">
      <label className="field">
        <span>Note</span>
        <textarea
          value={note}
          rows={2}
          maxLength={2_000}
          disabled={!mayDecide}
          onChange={({ target }) => setNote(target.value)}
        />
      </label>
      {asked !== undefined && (
        <label className="field">
          <span>To approve what is critical, type {asked}</span>
          <input value={name} disabled={!mayDecide} onChange={({ target }) => setName(target.value)} />
        </label>
      )}
      <div className="row">
        <button
          type="button"
          disabled={disabled || (asked !== undefined && name !== asked)}
          onClick={() => decide.mutate('approve')}
        >
          Approve
        </button>
        <button type="button" disabled={disabled} onClick={() => decide.mutate('reject')}>
          Reject
        </button>
      </div>
      {!mayDecide && <p>Deciding needs the role admin.</p>}
      {decide.error !== null && <Problem error={decide.error} />}
    </section>
  );
}

const Problem = ({ error }: { readonly error: Error }) => (
  <p className="problem" role="alert">
    {error instanceof ApiError && error.status === 412
      ? 'It has changed since it was shown; what is shown now is the latest. Look again.'
      : error.message}
  </p>
);
