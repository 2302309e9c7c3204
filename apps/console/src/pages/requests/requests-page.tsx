import type { RequestSummary } from '@portcullis/contracts/routes/requests';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, type FormEvent } from 'react';
import { endpoints } from '../../api/endpoints.ts';
import { keyOf } from '../../api/read.ts';
import { request } from '../../api/request.ts';
import { OutcomeBadge } from '../../ui/badge.tsx';
import { outcomeLabels } from '../../ui/labels.ts';
import { renderCost } from '../../ui/render-cost.ts';
import { useRowKeys } from '../../ui/row-keys.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { requestFiltersOf, type RequestSearch } from './request-search.ts';

/** What became of each call, the newest first. */
export function RequestsPage() {
  const search = useSearch({ from: '/shell/requests' });
  const pages = useInfiniteQuery({
    queryKey: keyOf(endpoints.listRequests, search),
    queryFn: ({ pageParam, signal }) =>
      request(
        endpoints.listRequests,
        {
          query: {
            order: 'time',
            limit: 50,
            ...requestFiltersOf(search),
            ...(pageParam !== '' && { cursor: pageParam }),
          },
        },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  });
  useEffect(() => {
    document.title = 'Requests · Portcullis';
  }, []);
  const { data, error, refetch } = pages;
  const rows = data?.pages.flatMap((page) => page.requests) ?? [];
  const searchedFrom = data?.pages.at(-1)?.searched_from;

  return (
    <>
      <div className="row">
        <h1>Requests</h1>
        <button type="button" onClick={() => void refetch()}>
          Refresh
        </button>
      </div>
      <RequestFilters search={search} />
      {error !== null && <Failed what="The requests" error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="requests" />}
      {data !== undefined && rows.length === 0 && <NoRequests filtered={Object.keys(search).length > 0} />}
      {rows.length > 0 && <RequestTable rows={rows} />}
      {typeof searchedFrom === 'string' && (
        <p>
          Looked through back to <Time at={searchedFrom} />; older requests may match, too.
        </p>
      )}
      {pages.hasNextPage && (
        <button type="button" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Older requests
        </button>
      )}
    </>
  );
}

function RequestTable({ rows }: { readonly rows: readonly RequestSummary[] }) {
  const table = useRowKeys();
  return (
    <div className="scroll">
      <table ref={table}>
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Request</th>
            <th scope="col">Who</th>
            <th scope="col">Model</th>
            <th scope="col" className="number">
              Tokens
            </th>
            <th scope="col" className="number">
              Cost
            </th>
            <th scope="col" className="number">
              Time
            </th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <OutcomeBadge outcome={row.outcome} code={row.status_code} />
                {row.denied_reason !== null && <small> {row.denied_reason}</small>}
              </td>
              <td>
                <Link to="/requests/$requestId" params={{ requestId: row.request_id }}>
                  {row.proxy_name ?? 'a proxy that is gone'}
                </Link>
                {row.requests > 1 && ` × ${row.requests}`}
                <br />
                <small>
                  {row.method} {row.path}
                </small>
              </td>
              <td>{row.user_identity ?? row.api_key_name ?? row.client_ip}</td>
              <td>{row.model ?? '–'}</td>
              <td className="number">
                {row.input_tokens === null ? '–' : `${row.input_tokens} + ${row.output_tokens ?? 0}`}
              </td>
              <td className="number">{renderCost(row.cost)}</td>
              <td className="number">{Math.round(row.duration_ms)} ms</td>
              <td>
                <Time at={row.timestamp} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NoRequests({ filtered }: { readonly filtered: boolean }) {
  const navigate = useNavigate();
  if (!filtered)
    return (
      <Empty title="No request yet">Call one of the proxies with a key: the request shows here a moment later.</Empty>
    );
  return (
    <Empty title="Nothing matches">
      <button type="button" onClick={() => void navigate({ to: '/requests', search: {} })}>
        Clear the filters
      </button>
    </Empty>
  );
}

function RequestFilters({ search }: { readonly search: RequestSearch }) {
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = Array.from(new FormData(event.currentTarget)).filter(([, value]) => value !== '');
    void navigate({
      to: '/requests',
      search: { ...pick(search, ['proxy', 'team', 'key']), ...Object.fromEntries(given) },
    });
  };
  return (
    <form className="row" role="search" onSubmit={submit} key={JSON.stringify(search)}>
      <label className="field">
        <span>Outcome</span>
        <select name="outcome" defaultValue={search.outcome ?? ''}>
          <option value="">All</option>
          {Object.entries(outcomeLabels).map(([outcome, label]) => (
            <option key={outcome} value={outcome}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>Order</span>
        <select name="order" defaultValue={search.order ?? ''}>
          <option value="">Newest first</option>
          <option value="cost">Dearest first</option>
        </select>
      </label>
      <label className="field">
        <span>User</span>
        <input name="user" maxLength={320} defaultValue={search.user} />
      </label>
      <label className="field">
        <span>Model</span>
        <input name="model" maxLength={200} defaultValue={search.model} />
      </label>
      <label className="field">
        <span>Path, request id or address</span>
        <input name="search" type="search" maxLength={200} defaultValue={search.search} />
      </label>
      <button>Apply</button>
    </form>
  );
}

const pick = (search: RequestSearch, names: readonly (keyof RequestSearch)[]): RequestSearch =>
  Object.fromEntries(names.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])));
