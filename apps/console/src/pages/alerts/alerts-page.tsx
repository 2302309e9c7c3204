import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { endpoints } from '../../api/endpoints.ts';
import { useLive } from '../../api/live.ts';
import { keyOf, read } from '../../api/read.ts';
import { actionLabels } from '../../ui/labels.ts';
import { SeverityBadge, StatusBadge } from '../../ui/badge.tsx';
import { useRowKeys } from '../../ui/row-keys.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { AlertFilterBar } from './alert-filter-bar.tsx';
import type { Alert } from './alert-types.ts';
import { alertFiltersOf, type AlertSearch } from './alert-search.ts';

const pageSize = 50;

/** The queue: what is open, the newest first. What arrives meanwhile waits behind a button, so that no row moves. */
export function AlertsPage() {
  const search = useSearch({ from: '/shell/alerts' });
  const page = Number(search.page ?? 1) || 1;
  const query = read(endpoints.listAlerts, {
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
  useEffect(() => {
    document.title = 'Alerts · Portcullis';
  }, []);

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
      {data !== undefined && data.alerts.length > 0 && <AlertTable alerts={data.alerts} search={search} />}
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
  useLive('alert', () => void queries.invalidateQueries({ queryKey: keyOf(endpoints.listAlerts) }));
  if (count === 0) return null;
  return (
    <button type="button" onClick={onShow}>
      {count} new
    </button>
  );
}

function AlertTable({ alerts, search }: { readonly alerts: readonly Alert[]; readonly search: AlertSearch }) {
  const rows = useRowKeys();
  return (
    <div className="scroll">
      <table ref={rows}>
        <thead>
          <tr>
            <th scope="col">Severity</th>
            <th scope="col">Alert</th>
            <th scope="col">Who</th>
            <th scope="col">Done</th>
            <th scope="col">Status</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {alerts.map((alert) => (
            <tr key={alert.id}>
              <td>
                <SeverityBadge severity={alert.severity} />
              </td>
              <td>
                <Link to="/alerts/$id" params={{ id: String(alert.id) }} search={search}>
                  {alert.title}
                </Link>
                <br />
                <small>
                  {alert.rule_id} · {alert.policy_name}
                </small>
              </td>
              <td>{alert.user_identity ?? alert.source}</td>
              <td>{actionLabels[alert.action]}</td>
              <td>
                <StatusBadge status={alert.status} />
                {alert.assignee !== null && <small> {alert.assignee.username}</small>}
              </td>
              <td>
                <Time at={alert.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NoAlerts({ search }: { readonly search: AlertSearch }) {
  const navigate = useNavigate();
  const filtered = Object.keys(search).length > 0;
  if (!filtered) return <Empty title="Nothing is open">New alerts show here the moment they happen.</Empty>;
  return (
    <Empty title="Nothing matches">
      <button type="button" onClick={() => void navigate({ to: '/alerts', search: {} })}>
        Clear the filters
      </button>
    </Empty>
  );
}

function Pages({
  page,
  pages,
  search,
}: {
  readonly page: number;
  readonly pages: number;
  readonly search: AlertSearch;
}) {
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
