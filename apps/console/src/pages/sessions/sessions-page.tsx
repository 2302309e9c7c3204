import type { SessionSummary } from '@portcullis/contracts/routes/sessions';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCursorPages } from '../../api/cursor-pages.ts';
import { endpoints } from '../../api/endpoints.ts';
import { sessionSourceLabels } from '../../ui/labels.ts';
import { renderCost } from '../../ui/render-cost.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { NextPageButton } from '../../ui/next-page-button.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

/** Tasks of agents over LLM APIs, MCP servers and agents, the latest or the dearest first. */
export function SessionsPage() {
  const { order } = useSearch({ from: '/shell/sessions' });
  const navigate = useNavigate();
  const pages = useCursorPages(endpoints.listSessions, {
    query: { order: order === 'cost' ? 'cost' : 'start', limit: 50 },
  });
  usePageTitle('Sessions');
  const { data, error, refetch } = pages;
  const rows = data?.pages.flatMap((page) => page.sessions) ?? [];

  return (
    <>
      <h1>Sessions</h1>
      <div className="row">
        <SelectField
          name="Order"
          value={order}
          options={{ '': 'Latest first', cost: 'Dearest first, of 24 hours' }}
          onChoose={(wanted) => void navigate({ to: '/sessions', search: wanted === '' ? {} : { order: wanted } })}
        />
        <button type="button" onClick={() => void refetch()}>
          Refresh
        </button>
      </div>
      {error !== null && <Failed what="The sessions" error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="sessions" />}
      {data !== undefined && rows.length === 0 && (
        <Empty title="No session yet">
          A session is known by what an agent sends: an id of its own, a trace, the session of an MCP server, or how a
          conversation begins.
        </Empty>
      )}
      {rows.length > 0 && <DataTable rows={rows} columns={columns} rowKey={({ session_id }) => session_id} />}
      <NextPageButton pages={pages}>More</NextPageButton>
    </>
  );
}

const columns: readonly Column<SessionSummary>[] = [
  {
    name: 'Began',
    cell: ({ session_id, started_at }) => (
      <Link to="/sessions/$id" params={{ id: session_id }}>
        <Time at={started_at} />
      </Link>
    ),
  },
  {
    name: 'Who',
    cell: ({ user_identity, api_key_name, user_group }) => (
      <>
        {user_identity ?? api_key_name ?? 'unknown'}
        {user_group !== null && <small> {user_group}</small>}
      </>
    ),
  },
  { name: 'Recognised by', cell: ({ recognised_by }) => sessionSourceLabels[recognised_by] },
  {
    name: 'Proxies and agents',
    cell: ({ proxies, agents }) => [...proxies, ...agents].map(({ name }) => name ?? 'gone').join(', '),
  },
  { name: 'Calls', isNumber: true, cell: ({ calls }) => calls.toLocaleString() },
  { name: 'Refused', isNumber: true, cell: ({ refused }) => refused.toLocaleString() },
  { name: 'Cost', isNumber: true, cell: ({ cost }) => renderCost(cost) },
];
