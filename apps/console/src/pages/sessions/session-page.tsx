import type { SessionCall, SessionSummary } from '@portcullis/contracts/routes/sessions';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { endpoints } from '../../api/endpoints.ts';
import { keyOf } from '../../api/read.ts';
import { request } from '../../api/request.ts';
import { OutcomeBadge } from '../../ui/badge.tsx';
import { proxyTypeLabels, sessionSourceLabels } from '../../ui/labels.ts';
import { renderCost } from '../../ui/render-cost.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

/** One task of an agent: its calls of models, tools and agents on one line of time, with what became of each. */
export function SessionPage() {
  const { id } = useParams({ from: '/shell/sessions/$id' });
  const pages = useInfiniteQuery({
    queryKey: keyOf(endpoints.getAgentSession, id),
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 100, ...(pageParam !== '' && { cursor: pageParam }) };
      return request(endpoints.getAgentSession, { params: { session_id: id }, query }, signal);
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  });
  useEffect(() => {
    document.title = 'Session · Portcullis';
  }, []);
  const { data, error, refetch } = pages;
  const session = data?.pages[0]?.session;

  return (
    <article>
      <h1>Session</h1>
      {error !== null && <Failed what="The session" error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the session" />}
      {session !== undefined && <Sums session={session} />}
      {data !== undefined && <Calls calls={data.pages.flatMap(({ calls }) => calls)} />}
      {pages.hasNextPage && (
        <button type="button" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Later calls
        </button>
      )}
    </article>
  );
}

const Sums = ({ session }: { readonly session: SessionSummary }) => (
  <section className="card">
    <p>
      <strong>{session.user_identity ?? session.api_key_name ?? 'unknown'}</strong>
      {session.user_group !== null && ` of ${session.user_group}`}, from <Time at={session.started_at} /> to{' '}
      <Time at={session.last_at} />; recognised by {sessionSourceLabels[session.recognised_by]}
    </p>
    <p>
      {session.calls.toLocaleString()} calls, {session.refused.toLocaleString()} refused,{' '}
      {session.failed.toLocaleString()} failed · {session.input_tokens.toLocaleString()} tokens in,{' '}
      {session.output_tokens.toLocaleString()} out · {renderCost(session.cost)}
    </p>
    {session.models.length > 0 && <p>{session.models.join(', ')}</p>}
  </section>
);

const Calls = ({ calls }: { readonly calls: readonly SessionCall[] }) => (
  <div className="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">To</th>
          <th scope="col">What</th>
          <th scope="col">Outcome</th>
          <th scope="col" className="number">
            Tokens
          </th>
          <th scope="col" className="number">
            Cost
          </th>
          <th scope="col" className="number">
            Time
          </th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call, index) => (
          <tr key={`${call.request_id} ${index}`}>
            <td>
              <Time at={call.timestamp} />
            </td>
            <td>
              {call.name ?? 'gone'}
              {call.type !== null && <small> {proxyTypeLabels[call.type]}</small>}
            </td>
            <td>
              <Link to="/requests/$requestId" params={{ requestId: call.request_id }}>
                {call.operation}
              </Link>
              {call.tools.length > 0 && <small> {call.tools.join(', ')}</small>}
            </td>
            <td>
              <OutcomeBadge outcome={call.outcome} code={call.status_code} />
              {call.denied_reason !== null && <small> {call.denied_reason}</small>}
            </td>
            <td className="number">
              {call.input_tokens === null ? '–' : `${call.input_tokens} + ${call.output_tokens ?? 0}`}
            </td>
            <td className="number">{renderCost(call.cost)}</td>
            <td className="number">{Math.round(call.duration_ms)} ms</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
