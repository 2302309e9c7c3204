import type { SessionSummary } from '@portcullis/contracts/routes/sessions';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { endpoints } from '../../api/endpoints.ts';
import { keyOf } from '../../api/read.ts';
import { request } from '../../api/request.ts';
import { sessionSourceLabels } from '../../ui/labels.ts';
import { renderCost } from '../../ui/render-cost.ts';
import { useRowKeys } from '../../ui/row-keys.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

/** Tasks of agents over LLM APIs, MCP servers and agents, the latest or the dearest first. */
export function SessionsPage() {
  const { order } = useSearch({ from: '/shell/sessions' });
  const navigate = useNavigate();
  const pages = useInfiniteQuery({
    queryKey: keyOf(endpoints.listSessions, { order }),
    queryFn: ({ pageParam, signal }) => {
      const query = {
        order: order === 'cost' ? 'cost' : 'start',
        limit: 50,
        ...(pageParam !== '' && { cursor: pageParam }),
      } as const;
      return request(endpoints.listSessions, { query }, signal);
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  });
  useEffect(() => {
    document.title = 'Sessions · Portcullis';
  }, []);
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
      {rows.length > 0 && <SessionTable rows={rows} />}
      {pages.hasNextPage && (
        <button type="button" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          More
        </button>
      )}
    </>
  );
}

function SessionTable({ rows }: { readonly rows: readonly SessionSummary[] }) {
  const table = useRowKeys();
  return (
    <div className="scroll">
      <table ref={table}>
        <thead>
          <tr>
            <th scope="col">Began</th>
            <th scope="col">Who</th>
            <th scope="col">Recognised by</th>
            <th scope="col">Proxies and agents</th>
            <th scope="col" className="number">
              Calls
            </th>
            <th scope="col" className="number">
              Refused
            </th>
            <th scope="col" className="number">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.session_id}>
              <td>
                <Link to="/sessions/$id" params={{ id: row.session_id }}>
                  <Time at={row.started_at} />
                </Link>
              </td>
              <td>
                {row.user_identity ?? row.api_key_name ?? 'unknown'}
                {row.user_group !== null && <small> {row.user_group}</small>}
              </td>
              <td>{sessionSourceLabels[row.recognised_by]}</td>
              <td>{[...row.proxies, ...row.agents].map(({ name }) => name ?? 'gone').join(', ')}</td>
              <td className="number">{row.calls.toLocaleString()}</td>
              <td className="number">{row.refused.toLocaleString()}</td>
              <td className="number">{renderCost(row.cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
