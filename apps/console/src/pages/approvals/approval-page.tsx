import type { ApprovalCallers } from '@portcullis/contracts/routes/approvals';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { endpoints } from '../../api/endpoints.ts';
import { read } from '../../api/read.ts';
import { SeverityBadge } from '../../ui/badge.tsx';
import { approvalKindLabels, approvalStatusLabels } from '../../ui/labels.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { ApprovalDecision } from './approval-decision.tsx';
import { Difference } from './difference.tsx';

/** What changed, word by word, what was found in it and who called it; below that the decision. */
export function ApprovalPage() {
  const { id } = useParams({ from: '/shell/approvals/$id' });
  const { data, error, refetch } = useQuery(read(endpoints.getApproval, { params: { id } }));
  useEffect(() => {
    document.title = `${data?.name ?? 'Approval'} · Portcullis`;
  }, [data]);

  if (error !== null) return <Failed what="What is held" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="what is held" />;
  return (
    <article>
      <p className="row">
        <SeverityBadge severity={data.severity} />
        <strong>{approvalStatusLabels[data.status]}</strong>
        <Time at={data.detected_at} />
      </p>
      <h1>
        {approvalKindLabels[data.kind]} {data.name ?? 'instructions of the server'}
      </h1>
      <p>
        {data.change_type.replaceAll('_', ' ')}
        {data.proxy_name !== null && ` on ${data.proxy_name}`}
        {data.decided_by !== null && `; decided by ${data.decided_by}`}
        {data.note !== null && `: ${data.note}`}
      </p>
      <section className="card">
        <h2>What changed</h2>
        {data.differences.length === 0 && <Empty title="Nothing to compare with" />}
        {data.differences.map((difference) => (
          <Difference key={difference.path} difference={difference} />
        ))}
      </section>
      {data.findings.length > 0 && (
        <section className="card">
          <h2>What was found in it</h2>
          <ul>
            {data.findings.map((finding, index) => (
              <li key={index}>
                <SeverityBadge severity={finding.severity} /> {finding.rule_id}
              </li>
            ))}
          </ul>
        </section>
      )}
      {data.callers !== null && <Callers callers={data.callers} />}
      <ApprovalDecision key={data.id} approval={data} />
    </article>
  );
}

function Callers({ callers: { callers, calls, callers_count, is_complete } }: { readonly callers: ApprovalCallers }) {
  return (
    <section className="card">
      <h2>Who called it in the last 7 days</h2>
      {callers.length === 0 && <Empty title="Nobody" />}
      {callers.length > 0 && (
        <>
          <p>
            {is_complete ? '' : 'At least '}
            {calls.toLocaleString()} calls by {callers_count.toLocaleString()} callers
          </p>
          <div className="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">Key</th>
                  <th scope="col">Team</th>
                  <th scope="col" className="number">
                    Calls
                  </th>
                  <th scope="col" className="number">
                    Refused
                  </th>
                  <th scope="col">Latest</th>
                </tr>
              </thead>
              <tbody>
                {callers.map((caller) => (
                  <tr key={`${caller.api_key_id} ${caller.user_group_id}`}>
                    <td>{caller.api_key_name ?? 'without a key'}</td>
                    <td>{caller.user_group ?? '–'}</td>
                    <td className="number">{caller.calls.toLocaleString()}</td>
                    <td className="number">{caller.blocked.toLocaleString()}</td>
                    <td>
                      <Time at={caller.last_called_at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  );
}
