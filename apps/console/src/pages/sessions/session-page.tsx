import type { SessionCall, SessionSummary } from '@portcullis/contracts/routes/sessions';
import { Link, useParams } from '@tanstack/react-router';
import { useCursorPages } from '../../api/cursor-pages.ts';
import { endpoints } from '../../api/endpoints.ts';
import { OutcomeBadge } from '../../ui/badge.tsx';
import { proxyTypeLabels, sessionSourceLabels } from '../../ui/labels.ts';
import { renderCost } from '../../ui/render-cost.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { NextPageButton } from '../../ui/next-page-button.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { renderTokens } from '../../ui/render-tokens.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

/** One task of an agent: its calls of models, tools and agents on one line of time, with what became of each. */
export function SessionPage() {
  const { id } = useParams({ from: '/shell/sessions/$id' });
  const pages = useCursorPages(endpoints.getAgentSession, { params: { session_id: id }, query: { limit: 100 } });
  usePageTitle('Session');
  const { data, error, refetch } = pages;
  const session = data?.pages[0]?.session;
  const calls = data?.pages.flatMap((page) => page.calls) ?? [];

  return (
    <article>
      <h1>Session</h1>
      {error !== null && <Failed what="The session" error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the session" />}
      {session !== undefined && <Sums session={session} />}
      {data !== undefined && (
        <DataTable rows={calls} columns={columns} rowKey={({ request_id }, index) => `${request_id} ${index}`} />
      )}
      <NextPageButton pages={pages}>Later calls</NextPageButton>
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

const columns: readonly Column<SessionCall>[] = [
  { name: 'When', cell: ({ timestamp }) => <Time at={timestamp} /> },
  {
    name: 'To',
    cell: ({ name, type }) => (
      <>
        {name ?? 'gone'}
        {type !== null && <small> {proxyTypeLabels[type]}</small>}
      </>
    ),
  },
  {
    name: 'What',
    cell: ({ request_id, operation, tools }) => (
      <>
        <Link to="/requests/$requestId" params={{ requestId: request_id }}>
          {operation}
        </Link>
        {tools.length > 0 && <small> {tools.join(', ')}</small>}
      </>
    ),
  },
  {
    name: 'Outcome',
    cell: ({ outcome, status_code, denied_reason }) => (
      <>
        <OutcomeBadge outcome={outcome} code={status_code} />
        {denied_reason !== null && <small> {denied_reason}</small>}
      </>
    ),
  },
  { name: 'Tokens', isNumber: true, cell: renderTokens },
  { name: 'Cost', isNumber: true, cell: ({ cost }) => renderCost(cost) },
  { name: 'Time', isNumber: true, cell: ({ duration_ms }) => `${Math.round(duration_ms)} ms` },
];
