import type { Approval } from '@portcullis/contracts/routes/approvals';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useCursorPages } from '../../api/cursor-pages.ts';
import { endpoints } from '../../api/endpoints.ts';
import { useLive } from '../../api/live-events.ts';
import { routeKey } from '../../api/route-query.ts';
import { SeverityBadge } from '../../ui/badge.tsx';
import { formText } from '../../ui/form-text.ts';
import { approvalKindLabels, approvalStatusLabels, severityLabels } from '../../ui/labels.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { NextPageButton } from '../../ui/next-page-button.tsx';
import { NoMatches } from '../../ui/no-matches.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { approvalFiltersOf, type ApprovalSearch } from './approval-search.ts';

/** One inbox of what is held until an admin decides: tools, cards of agents, skills. */
export function ApprovalsPage() {
  const search = useSearch({ from: '/shell/approvals' });
  const queries = useQueryClient();
  const pages = useCursorPages(endpoints.listApprovals, { query: { limit: 50, ...approvalFiltersOf(search) } });
  useLive('approval', () => void queries.invalidateQueries({ queryKey: routeKey(endpoints.listApprovals) }));
  usePageTitle('Approvals');
  const { data, error, refetch } = pages;
  const rows = data?.pages.flatMap((page) => page.approvals) ?? [];
  const counts = data?.pages[0]?.counts;

  return (
    <>
      <div className="row">
        <h1>Approvals</h1>
        {counts !== undefined && (
          <p>
            {counts.is_complete ? '' : 'more than '}
            {counts.total.toLocaleString()} match
          </p>
        )}
      </div>
      <ApprovalFilterBar search={search} />
      {error !== null && <Failed what="The approvals" error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="approvals" />}
      {data !== undefined && rows.length === 0 && <NoApprovals filtered={Object.keys(search).length > 0} />}
      {rows.length > 0 && <DataTable rows={rows} columns={columns} rowKey={({ id }) => id} />}
      <NextPageButton pages={pages}>Older</NextPageButton>
    </>
  );
}

const columns: readonly Column<Approval>[] = [
  { name: 'Severity', cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  {
    name: 'What',
    cell: ({ id, kind, name, change_type }) => (
      <>
        <Link to="/approvals/$id" params={{ id }}>
          {approvalKindLabels[kind]} {name ?? 'instructions of the server'}
        </Link>
        <br />
        <small>{change_type.replaceAll('_', ' ')}</small>
      </>
    ),
  },
  { name: 'Where', cell: ({ proxy_name }) => proxy_name ?? '–' },
  { name: 'Findings', isNumber: true, cell: ({ findings_count }) => findings_count },
  { name: 'Status', cell: ({ status }) => approvalStatusLabels[status] },
  { name: 'Since', cell: ({ detected_at }) => <Time at={detected_at} /> },
];

function NoApprovals({ filtered }: { readonly filtered: boolean }) {
  const navigate = useNavigate();
  if (!filtered)
    return (
      <Empty title="Nothing waits for a decision">Changed tools, cards and skills show here when they are held.</Empty>
    );
  return <NoMatches onClear={() => void navigate({ to: '/approvals', search: {} })} />;
}

function ApprovalFilterBar({ search }: { readonly search: ApprovalSearch }) {
  const navigate = useNavigate();
  const change = (changed: ApprovalSearch) => {
    const kept = Object.entries({ ...search, ...changed }).filter(([, value]) => value !== '');
    void navigate({ to: '/approvals', search: Object.fromEntries(kept) });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change({ search: formText(event.currentTarget, 'search') });
  };
  return (
    <form className="row" role="search" onSubmit={submit}>
      <SelectField
        name="Status"
        value={search.status}
        options={{ '': 'Waiting', ...approvalStatusLabels }}
        onChoose={(status) => change({ status })}
      />
      <SelectField
        name="Kind"
        value={search.kind}
        options={{ '': 'All', ...approvalKindLabels }}
        onChoose={(kind) => change({ kind })}
      />
      <SelectField
        name="Severity"
        value={search.severity}
        options={{ '': 'All', ...severityLabels }}
        onChoose={(severity) => change({ severity })}
      />
      <label className="field">
        <span>Search</span>
        <input key={search.search} name="search" type="search" maxLength={200} defaultValue={search.search} />
      </label>
    </form>
  );
}
