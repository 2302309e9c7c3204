import type { RequestSummary } from '@portcullis/contracts/routes/requests';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useCursorPages } from '../../api/cursor-pages.ts';
import { endpoints } from '../../api/endpoints.ts';
import { OutcomeBadge } from '../../ui/badge.tsx';
import { outcomeLabels } from '../../ui/labels.ts';
import { renderCost } from '../../ui/render-cost.ts';
import { renderTokens } from '../../ui/render-tokens.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { NextPageButton } from '../../ui/next-page-button.tsx';
import { NoMatches } from '../../ui/no-matches.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { requestFiltersOf, type RequestSearch } from './request-search.ts';

/** What became of each call, the newest first. */
export function RequestsPage() {
  const search = useSearch({ from: '/shell/requests' });
  const pages = useCursorPages(endpoints.listRequests, {
    query: { order: 'time', limit: 50, ...requestFiltersOf(search) },
  });
  usePageTitle('Requests');
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
      {rows.length > 0 && <DataTable rows={rows} columns={columns} rowKey={({ id }) => id} />}
      {typeof searchedFrom === 'string' && (
        <p>
          Looked through back to <Time at={searchedFrom} />; older requests may match, too.
        </p>
      )}
      <NextPageButton pages={pages}>Older requests</NextPageButton>
    </>
  );
}

const columns: readonly Column<RequestSummary>[] = [
  {
    name: 'Outcome',
    cell: ({ outcome, status_code, denied_reason }) => (
      <>
        <OutcomeBadge outcome={outcome} code={status_code} />
        {denied_reason !== null && <small> {denied_reason}</small>}
      </>
    ),
  },
  {
    name: 'Request',
    cell: ({ request_id, proxy_name, requests, method, path }) => (
      <>
        <Link to="/requests/$requestId" params={{ requestId: request_id }}>
          {proxy_name ?? 'a proxy that is gone'}
        </Link>
        {requests > 1 && ` × ${requests}`}
        <br />
        <small>
          {method} {path}
        </small>
      </>
    ),
  },
  { name: 'Who', cell: ({ user_identity, api_key_name, client_ip }) => user_identity ?? api_key_name ?? client_ip },
  { name: 'Model', cell: ({ model }) => model ?? '–' },
  { name: 'Tokens', isNumber: true, cell: renderTokens },
  { name: 'Cost', isNumber: true, cell: ({ cost }) => renderCost(cost) },
  { name: 'Time', isNumber: true, cell: ({ duration_ms }) => `${Math.round(duration_ms)} ms` },
  { name: 'When', cell: ({ timestamp }) => <Time at={timestamp} /> },
];

function NoRequests({ filtered }: { readonly filtered: boolean }) {
  const navigate = useNavigate();
  if (!filtered)
    return (
      <Empty title="No request yet">Call one of the proxies with a key: the request shows here a moment later.</Empty>
    );
  return <NoMatches onClear={() => void navigate({ to: '/requests', search: {} })} />;
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
