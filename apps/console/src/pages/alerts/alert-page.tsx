import type { AlertDetail } from '@portcullis/contracts/routes/alerts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { endpoints } from '../../api/endpoints.ts';
import { useLive } from '../../api/live-events.ts';
import { routeKey, routeQuery } from '../../api/route-query.ts';
import { SeverityBadge, StatusBadge } from '../../ui/badge.tsx';
import { actionLabels } from '../../ui/labels.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { AlertHistory } from './alert-history.tsx';
import styles from './alert-page.module.css';
import { alertFiltersOf } from './alert-search.ts';
import { findingsOf } from './alert-findings.ts';
import { AlertActions } from './alert-actions.tsx';

/** One screen: what was found, by which rule, what was done, whom it concerns, and what to do with it. */
export function AlertPage() {
  const id = Number(useParams({ from: '/shell/alerts/$id' }).id);
  const queries = useQueryClient();
  const { data: alert, error, refetch } = useQuery(routeQuery(endpoints.getAlert, { params: { id } }));
  useLive('alert', (changed) => {
    if (changed.id === id)
      void queries.invalidateQueries({ queryKey: routeKey(endpoints.getAlert, { params: { id } }) });
  });
  usePageTitle(alert?.title ?? 'Alert');

  if (error !== null) return <Failed what="The alert" error={error} onRetry={() => void refetch()} />;
  if (alert === undefined) return <Loading what="the alert" />;
  return (
    <article className={styles['alert']}>
      <header>
        <p className="row">
          <SeverityBadge severity={alert.severity} />
          <StatusBadge status={alert.status} />
          <strong>{actionLabels[alert.action]}</strong>
          <Time at={alert.created_at} />
        </p>
        <h1>{alert.title}</h1>
        <p>{alert.description}</p>
      </header>
      {/* What was typed and chosen for one is not for the next. */}
      <AlertActions key={alert.id} alert={alert} next={<NextLink alert={alert} />} />
      <Findings alert={alert} />
      <Facts alert={alert} />
      <AlertHistory alert={alert} />
      <details className="card">
        <summary>As data</summary>
        <pre tabIndex={0}>{JSON.stringify(alert, undefined, 2)}</pre>
      </details>
    </article>
  );
}

/** The next of the list from which one came. */
function NextLink({ alert }: { readonly alert: AlertDetail }) {
  const search = useSearch({ from: '/shell/alerts/$id' });
  const query = {
    ...alertFiltersOf({ ...search, date_to: alert.created_at }),
    sort: 'created_at',
    order: 'desc',
    limit: 2,
    include_raw_data: false,
  } as const;
  const { data } = useQuery(routeQuery(endpoints.listAlerts, { query }));
  const next = data?.alerts.find(({ id }) => id !== alert.id);
  if (next === undefined)
    return (
      <Link to="/alerts" search={search}>
        Back to the list
      </Link>
    );
  return (
    <Link to="/alerts/$id" params={{ id: String(next.id) }} search={search}>
      Next alert
    </Link>
  );
}

function Findings({ alert }: { readonly alert: AlertDetail }) {
  const findings = findingsOf(alert);
  if (findings.length === 0) return null;
  return (
    <section className="card">
      <h2>What was found</h2>
      <ul className={styles['findings']}>
        {findings.map((finding, index) => (
          <li key={index}>
            <code>
              <mark>{finding.evidence}</mark>
            </code>
            <small>
              {finding.rule_id} · {finding.direction} {finding.location ?? finding.origin ?? ''}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Facts({ alert }: { readonly alert: AlertDetail }) {
  const facts = [
    ['Rule', alert.rule_id],
    ['Policy', alert.policy_name],
    ['Category', alert.category],
    ['Caller', alert.user_identity ?? 'unknown'],
    ['Team', alert.user_group ?? 'none'],
    ['From', alert.source],
    ['To', alert.target],
  ] as const;
  return (
    <section className="card">
      <h2>Whom it concerns</h2>
      <dl className={styles['facts']}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {alert.request_id !== null && (
          <div>
            <dt>Request</dt>
            <dd>
              <Link to="/requests/$requestId" params={{ requestId: alert.request_id }}>
                {alert.request_id}
              </Link>
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
