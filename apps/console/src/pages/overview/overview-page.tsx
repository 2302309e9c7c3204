import type { AlertStats } from '@portcullis/contracts/routes/alerts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { endpoints } from '../../api/endpoints.ts';
import { useLive } from '../../api/live-events.ts';
import { routeKey, routeQuery } from '../../api/route-query.ts';
import { severityLabels } from '../../ui/labels.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { openStatuses } from '../alerts/alert-search.ts';
import styles from './overview-page.module.css';

/** What is open. Each figure leads to the list that it counts. */
export function OverviewPage() {
  const queries = useQueryClient();
  const open = useQuery(routeQuery(endpoints.getAlertStats, { query: { status: openStatuses } }));
  const week = useQuery(routeQuery(endpoints.getAlertStats, { query: { time_range: '7d' } }));
  useLive('stats_update', () => void queries.invalidateQueries({ queryKey: routeKey(endpoints.getAlertStats) }));
  usePageTitle('Overview');

  return (
    <>
      <h1>Overview</h1>
      <Health />
      <section className="card">
        <h2>Open alerts</h2>
        {open.error !== null && <Failed what="The alerts" error={open.error} onRetry={() => void open.refetch()} />}
        {open.data === undefined && open.error === null && <Loading what="alerts" />}
        {open.data?.total === 0 && <Empty title="Nothing is open" />}
        {open.data !== undefined && open.data.total > 0 && <Severities stats={open.data} />}
      </section>
      <section className="card">
        <h2>Alerts of the last 7 days</h2>
        {week.data !== undefined && <Week stats={week.data} />}
      </section>
    </>
  );
}

function Health() {
  const { data, error } = useQuery(routeQuery(endpoints.getHealth));
  if (error !== null) return <p className="problem">{error.message}</p>;
  if (data === undefined || (data.status === 'healthy' && data.notes === undefined)) return null;
  return (
    <section className="card">
      <h2>This gateway is {data.status}</h2>
      <ul>
        {[...(data.problems ?? []), ...(data.notes ?? [])].map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </section>
  );
}

const Severities = ({ stats }: { readonly stats: AlertStats }) => (
  <ul className={styles['figures']}>
    {Object.entries(severityLabels).map(([severity, label]) => (
      <li key={severity}>
        <Link to="/alerts" search={{ severity }}>
          <strong>{(stats.by_severity[severity] ?? 0).toLocaleString()}</strong> {label}
        </Link>
      </li>
    ))}
  </ul>
);

const columns: readonly Column<AlertStats['series'][number]>[] = [
  { name: 'Day (UTC)', cell: ({ start }) => start.slice(0, 10) },
  { name: 'Alerts', isNumber: true, cell: ({ count }) => count.toLocaleString() },
];

/** Bars, and the same as a table for who cannot see them. */
function Week({ stats }: { readonly stats: AlertStats }) {
  const most = Math.max(1, ...stats.series.map(({ count }) => count));
  if (stats.series.length === 0) return <Empty title="No alert in these days" />;
  return (
    <>
      <svg
        className={styles['bars']}
        viewBox={`0 0 ${stats.series.length * 10} 40`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {stats.series.map(({ start, count }, index) => (
          <rect key={start} x={index * 10 + 1} width={8} y={40 - (count / most) * 40} height={(count / most) * 40} />
        ))}
      </svg>
      <details>
        <summary>As a table</summary>
        <DataTable rows={stats.series} columns={columns} rowKey={({ start }) => start} />
      </details>
    </>
  );
}
