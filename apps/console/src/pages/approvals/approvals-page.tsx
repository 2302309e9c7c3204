import type { Approval } from '@portcullis/contracts/routes/approvals';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, type FormEvent } from 'react';
import { endpoints } from '../../api/endpoints.ts';
import { useLive } from '../../api/live.ts';
import { keyOf } from '../../api/read.ts';
import { request } from '../../api/request.ts';
import { SeverityBadge } from '../../ui/badge.tsx';
import { formText } from '../../ui/form-text.ts';
import { approvalKindLabels, approvalStatusLabels, severityLabels } from '../../ui/labels.ts';
import { useRowKeys } from '../../ui/row-keys.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { approvalFiltersOf, type ApprovalSearch } from './approval-search.ts';

/** One inbox of what is held until somebody decides: tools, cards of agents, skills. */
export function ApprovalsPage() {
  const search = useSearch({ from: '/shell/approvals' });
  const queries = useQueryClient();
  const pages = useInfiniteQuery({
    queryKey: keyOf(endpoints.listApprovals, search),
    queryFn: ({ pageParam, signal }) =>
      request(
        endpoints.listApprovals,
        { query: { limit: 50, ...approvalFiltersOf(search), ...(pageParam !== '' && { cursor: pageParam }) } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  });
  useLive('approval', () => void queries.invalidateQueries({ queryKey: keyOf(endpoints.listApprovals) }));
  useEffect(() => {
    document.title = 'Approvals · Portcullis';
  }, []);
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
      {rows.length > 0 && <ApprovalTable rows={rows} />}
      {pages.hasNextPage && (
        <button type="button" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Older
        </button>
      )}
    </>
  );
}

function ApprovalTable({ rows }: { readonly rows: readonly Approval[] }) {
  const table = useRowKeys();
  return (
    <div className="scroll">
      <table ref={table}>
        <thead>
          <tr>
            <th scope="col">Severity</th>
            <th scope="col">What</th>
            <th scope="col">Where</th>
            <th scope="col">Findings</th>
            <th scope="col">Status</th>
            <th scope="col">Since</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <SeverityBadge severity={row.severity} />
              </td>
              <td>
                <Link to="/approvals/$id" params={{ id: row.id }}>
                  {approvalKindLabels[row.kind]} {row.name ?? 'instructions of the server'}
                </Link>
                <br />
                <small>{row.change_type.replaceAll('_', ' ')}</small>
              </td>
              <td>{row.proxy_name ?? '–'}</td>
              <td className="number">{row.findings_count}</td>
              <td>{approvalStatusLabels[row.status]}</td>
              <td>
                <Time at={row.detected_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NoApprovals({ filtered }: { readonly filtered: boolean }) {
  const navigate = useNavigate();
  if (!filtered)
    return (
      <Empty title="Nothing waits for a decision">Changed tools, cards and skills show here when they are held.</Empty>
    );
  return (
    <Empty title="Nothing matches">
      <button type="button" onClick={() => void navigate({ to: '/approvals', search: {} })}>
        Clear the filters
      </button>
    </Empty>
  );
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
