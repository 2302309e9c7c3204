import type { ApprovalCallers } from '@portcullis/contracts/routes/approvals';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { endpoints } from '../../api/endpoints.ts';
import { routeQuery } from '../../api/route-query.ts';
import { SeverityBadge } from '../../ui/badge.tsx';
import { approvalKindLabels, approvalStatusLabels } from '../../ui/labels.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { ApprovalDecision } from './approval-decision.tsx';
import { Difference } from './difference.tsx';

/** What changed, word by word, what was found in it and who called it; below that the decision. */
export function ApprovalPage() {
  const { id } = useParams({ from: '/shell/approvals/$id' });
  const { data, error, refetch } = useQuery(routeQuery(endpoints.getApproval, { params: { id } }));
  usePageTitle(data?.name ?? 'Approval');

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

const columns: readonly Column<ApprovalCallers['callers'][number]>[] = [
  { name: 'Key', cell: ({ api_key_name }) => api_key_name ?? 'without a key' },
  { name: 'Team', cell: ({ user_group }) => user_group ?? '–' },
  { name: 'Calls', isNumber: true, cell: ({ calls }) => calls.toLocaleString() },
  { name: 'Refused', isNumber: true, cell: ({ blocked }) => blocked.toLocaleString() },
  { name: 'Latest', cell: ({ last_called_at }) => <Time at={last_called_at} /> },
];

function Callers({ callers: { callers, calls, callers_count, is_complete } }: { readonly callers: ApprovalCallers }) {
  return (
    <section className="card">
      <h2>Who called it in the last 7 days</h2>
      {callers.length === 0 && <Empty title="No calls" />}
      {callers.length > 0 && (
        <>
          <p>
            {is_complete ? '' : 'At least '}
            {calls.toLocaleString()} calls by {callers_count.toLocaleString()} callers
          </p>
          <DataTable
            rows={callers}
            columns={columns}
            rowKey={({ api_key_id, user_group_id }) => `${api_key_id} ${user_group_id}`}
          />
        </>
      )}
    </section>
  );
}
