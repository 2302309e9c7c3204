import type { ReportPeriod } from '@portcullis/contracts/report-periods';
import type { Breakdown } from '@portcullis/contracts/routes/budgets';
import { daysOf } from '@portcullis/core/budget/budget-month';
import type { Queryable } from '@portcullis/platform/database/database';
import { loadBreakdown } from './breakdown-queries.ts';
import { loadForecast } from './budget-forecast.ts';
import { loadOrganizationStatus } from './budget-status.ts';

type Cell = string | number | boolean | null;

/** A report as tables, from which CSV and PDF are made; `data` is the same for programs. */
export interface Report {
  readonly name: 'budget-summary' | 'budget-breakdown';
  readonly title: string;
  readonly tables: readonly ReportTable[];
  readonly data: object;
}

export interface ReportTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Budget and forecast of the organization, and the dearest entries of the period. */
export async function loadSummary(database: Queryable, period: ReportPeriod, now: Date): Promise<Report> {
  const status = await loadOrganizationStatus(database, now);
  const forecast = await loadForecast(database, now);
  const breakdown = await loadBreakdown(database, { period, limit: 10 }, now);
  const { recommendations, ...figures } = forecast;
  const { period: _, from, to, total_cost, total_tokens, request_count, by_user_group, by_model } = breakdown;
  const sums = { period, from, to, total_cost, total_tokens, request_count };
  return {
    name: 'budget-summary',
    title: `Budget summary ${from} to ${to}`,
    data: { ...sums, organization: status, forecast, top_user_groups: by_user_group, top_models: by_model },
    tables: [
      fieldTable('Period', sums),
      fieldTable('Organization', status),
      fieldTable('Forecast', { ...figures, recommendations: recommendations.join('. ') }),
      ...breakdownTables(breakdown).slice(0, 3),
    ],
  };
}

export async function loadBreakdownReport(
  database: Queryable,
  query: { readonly period: ReportPeriod; readonly limit: number },
  now: Date,
): Promise<Report> {
  const breakdown = await loadBreakdown(database, query, now);
  const { from, to } = daysOf(query.period, now);
  return {
    name: 'budget-breakdown',
    title: `Budget breakdown ${from} to ${to}`,
    data: breakdown,
    tables: breakdownTables(breakdown),
  };
}

const fieldTable = (title: string, fields: Readonly<Record<string, Cell>>): ReportTable => ({
  title,
  columns: ['field', 'value'],
  rows: Object.entries(fields),
});

const columns = ['name', 'total_cost', 'total_tokens', 'request_count', 'share_percent'];

type Sums = Breakdown['by_day'][number];
const sumCells = (sums: Omit<Sums, 'day'>): readonly Cell[] => [
  sums.total_cost,
  sums.total_tokens,
  sums.request_count,
  sums.share_percent,
];

const breakdownTables = (breakdown: Breakdown): readonly ReportTable[] => [
  {
    title: 'By user group',
    columns,
    rows: breakdown.by_user_group.map((row) => [nameOf(row.user_group_name, row.user_group_id), ...sumCells(row)]),
  },
  { title: 'By model', columns, rows: breakdown.by_model.map((row) => [row.model, ...sumCells(row)]) },
  {
    title: 'By proxy',
    columns,
    rows: breakdown.by_proxy.map((row) => [nameOf(row.proxy_name, row.proxy_id), ...sumCells(row)]),
  },
  {
    title: 'By API key',
    columns,
    rows: breakdown.by_api_key.map((row) => [nameOf(row.api_key_name, row.api_key_id), ...sumCells(row)]),
  },
  { title: 'By day', columns, rows: breakdown.by_day.map((row) => [row.day, ...sumCells(row)]) },
];

/** A record that is gone is told by its id, usage without one as such. */
const nameOf = (name: string | null, id: number | null): string =>
  name ?? (id === null ? '(none)' : `#${id} (deleted)`);
