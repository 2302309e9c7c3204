import type { RequestDetail } from '@portcullis/contracts/routes/requests';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { endpoints } from '../../api/endpoints.ts';
import { routeQuery } from '../../api/route-query.ts';
import { OutcomeBadge, SeverityBadge, StatusBadge } from '../../ui/badge.tsx';
import { renderCost } from '../../ui/render-cost.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

/** What became of one request: its records, and what policies and guardrails said of it. */
export function RequestPage() {
  const { requestId } = useParams({ from: '/shell/requests/$requestId' });
  const { data, error, refetch } = useQuery(routeQuery(endpoints.getRequest, { params: { request_id: requestId } }));
  usePageTitle(`Request ${requestId}`);

  return (
    <article>
      <h1>
        Request <code>{requestId}</code>
      </h1>
      {error !== null && <Failed what="The request" error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the request" />}
      {data?.requests.map((record) => (
        <RequestRecord key={record.id} record={record} />
      ))}
      {data !== undefined && <RequestAlerts alerts={data.alerts} />}
      {data !== undefined && (
        <details className="card">
          <summary>As data</summary>
          <pre tabIndex={0}>{JSON.stringify(data, undefined, 2)}</pre>
        </details>
      )}
    </article>
  );
}

const RequestRecord = ({ record }: { readonly record: RequestDetail['requests'][number] }) => (
  <section className="card">
    <p className="row">
      <OutcomeBadge outcome={record.outcome} code={record.status_code} />
      <Time at={record.timestamp} />
      <span>{Math.round(record.duration_ms)} ms</span>
      <span>{renderCost(record.cost)}</span>
    </p>
    <p>
      {record.method} {record.path} on <strong>{record.proxy_name ?? 'a proxy that is gone'}</strong> by{' '}
      <strong>{record.user_identity ?? record.api_key_name ?? record.client_ip}</strong>
      {record.user_group !== null && ` of ${record.user_group}`}
    </p>
    {record.denied_reason !== null && (
      <p>
        Refused for <code>{record.denied_reason}</code>
        {record.denied_stage !== null && (
          <>
            {' '}
            by the stage <code>{record.denied_stage}</code>
          </>
        )}
      </p>
    )}
    {record.target_problem !== null && <p>The target failed: {record.target_problem}</p>}
    {record.model !== null && (
      <p>
        {record.model}: {record.input_tokens ?? '–'} tokens in, {record.output_tokens ?? '–'} out
      </p>
    )}
  </section>
);

function RequestAlerts({ alerts }: { readonly alerts: RequestDetail['alerts'] }) {
  if (alerts.length === 0) return <p>No policy, guardrail or limit reported anything of it.</p>;
  return (
    <section className="card">
      <h2>Alerts</h2>
      <ul>
        {alerts.map((alert) => (
          <li key={alert.id}>
            <SeverityBadge severity={alert.severity} /> <StatusBadge status={alert.status} />{' '}
            <Link to="/alerts/$id" params={{ id: String(alert.id) }}>
              {alert.title}
            </Link>{' '}
            <small>
              rule {alert.rule_id} of {alert.policy_name}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
