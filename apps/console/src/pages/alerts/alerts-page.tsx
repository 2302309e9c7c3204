import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { endpoints } from '../../api/endpoints.ts';
import { useLive } from '../../api/live-events.ts';
import { routeKey, routeQuery } from '../../api/route-query.ts';
import { actionLabels } from '../../ui/labels.ts';
import { SeverityBadge, StatusBadge } from '../../ui/badge.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { NoMatches } from '../../ui/no-matches.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { AlertFilterBar } from './alert-filter-bar.tsx';
import type { Alert } from './alert-findings.ts';
import { alertFiltersOf, type AlertSearch } from './alert-search.ts';

const pageSize = 50;

/** The queue: what is open, the newest first. What arrives meanwhile waits behind a button, so that no row moves. */
export function AlertsPage() {
  const search = useSearch({ from: '/shell/alerts' });
  const page = Number(search.page ?? 1) || 1;
  const query = routeQuery(endpoints.listAlerts, {
    query: {
      ...alertFiltersOf(search),
      sort: 'created_at',
      order: 'desc',
      limit: pageSize,
      page,
      include_raw_data: false,
    },
  });
  const { data, error, refetch, dataUpdatedAt } = useQuery({ ...query, placeholderData: keepPreviousData });
  usePageTitle('Alerts');

  return (
    <>
      <div className="row">
        <h1>Alerts</h1>
        {data !== undefined && <p>{data.total.toLocaleString()} match</p>}
        <NewAlerts since={dataUpdatedAt} onShow={() => void refetch()} />
      </div>
      <AlertFilterBar search={search} />
      {error !== null && <Failed what="The alerts" error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="alerts" />}
      {data !== undefined && data.alerts.length === 0 && <NoAlerts search={search} />}
      {data !== undefined && data.alerts.length > 0 && (
        <DataTable rows={data.alerts} columns={columnsOf(search)} rowKey={({ id }) => id} />
      )}
      {data !== undefined && <Pages page={page} pages={data.total_pages} search={search} />}
    </>
  );
}

function NewAlerts({ since, onShow }: { readonly since: number; readonly onShow: () => void }) {
  const queries = useQueryClient();
  const [seen, setSeen] = useState({ since, count: 0 });
  const count = seen.since === since ? seen.count : 0;
  useLive('new_alert', () => setSeen({ since, count: count + 1 }));
  // A colleague's move shows in place.
  useLive('alert', () => void queries.invalidateQueries({ queryKey: routeKey(endpoints.listAlerts) }));
  if (count === 0) return null;
  return (
    <button type="button" onClick={onShow}>
      {count} new
    </button>
  );
}

const columnsOf = (search: AlertSearch): readonly Column<Alert>[] => [
  { name: 'Severity', cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  {
    name: 'Alert',
    cell: (alert) => (
      <>
        <Link to="/alerts/$id" params={{ id: String(alert.id) }} search={search}>
          {alert.title}
        </Link>
        <br />
        <small>
          {alert.rule_id} · {alert.policy_name}
        </small>
      </>
    ),
  },
  { name: 'Who', cell: ({ user_identity, source }) => user_identity ?? source },
  { name: 'Done', cell: ({ action }) => actionLabels[action] },
  {
    name: 'Status',
    cell: ({ status, assignee }) => (
      <>
        <StatusBadge status={status} />
        {assignee !== null && <small> {assignee.username}</small>}
      </>
    ),
  },
  { name: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
];

function NoAlerts({ search }: { readonly search: AlertSearch }) {
  const navigate = useNavigate();
  const filtered = Object.keys(search).length > 0;
  if (!filtered) return <Empty title="Nothing is open">New alerts show here the moment they happen.</Empty>;
  return <NoMatches onClear={() => void navigate({ to: '/alerts', search: {} })} />;
}

interface PagesProps {
  readonly page: number;
  readonly pages: number;
  readonly search: AlertSearch;
}

function Pages({ page, pages, search }: PagesProps) {
  if (pages <= 1) return null;
  const to = (wanted: number): AlertSearch => ({ ...search, page: String(wanted) });
  return (
    <nav className="row" aria-label="Pages of the list">
      {page > 1 && (
        <Link to="/alerts" search={to(page - 1)}>
          Newer
        </Link>
      )}
      <span>
        Page {page.toLocaleString()} of {pages.toLocaleString()}
      </span>
      {page < pages && (
        <Link to="/alerts" search={to(page + 1)}>
          Older
        </Link>
      )}
    </nav>
  );
}
