import { getTeamMcpStats, getTeamTokens, getTeamUsage, listTeamUsage } from '@portcullis/contracts/routes/teams';
import { renderUsd } from '@portcullis/core/budget/usd';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { firstDay } from '../alerts/day-window.ts';
import { unknownUserGroup } from '../user-groups/user-group-routes.ts';
import { loadModels, loadTeamUsage, type ModelSums } from './team-queries.ts';

export function teamRoutes(database: Database): BoundRoute[] {
  const loadOrThrow = async (from: Queryable, id: number, days: number, now = new Date()) => {
    const { teams } = await loadTeamUsage(from, firstDay(days, now), { id });
    const [usage] = teams;
    if (usage === undefined) throw unknownUserGroup(id);
    return { ...usage, period_days: days };
  };

  return [
    bind(listTeamUsage, async ({ query: { days, ...range } }) => {
      const since = firstDay(days, new Date());
      const { teams, total } = await readConsistent(database, (moment) => loadTeamUsage(moment, since, range));
      return { data: [...teams], headers: { 'x-total-count': String(total) } };
    }),

    bind(getTeamUsage, async ({ params, query }) => ({ data: await loadOrThrow(database, params.id, query.days) })),

    bind(getTeamTokens, async ({ params, query }) => {
      const now = new Date();
      const [usage, models] = await readConsistent(database, async (moment) => [
        await loadOrThrow(moment, params.id, query.days, now),
        await loadModels(moment, firstDay(query.days, now), params.id),
      ]);
      return {
        data: {
          ...usage,
          model_breakdown: models.map(renderCost),
          provider_breakdown: sumByProvider(models).map(renderCost),
        },
      };
    }),

    bind(getTeamMcpStats, async ({ params, query }) => {
      const { mcp_requests: total, ...usage } = await loadOrThrow(database, params.id, query.days);
      const { user_group_id, user_group_name, unique_tools, tool_usage, period_days } = usage;
      return {
        data: { user_group_id, user_group_name, period_days, total_mcp_requests: total, unique_tools, tool_usage },
      };
    }),
  ];
}

const renderCost = <Row extends { readonly cost_micro_usd: number }>({
  cost_micro_usd: costMicroUsd,
  ...same
}: Row) => ({
  ...same,
  total_cost: renderUsd(costMicroUsd),
});

const sumByProvider = (models: readonly ModelSums[]): readonly Omit<ModelSums, 'model'>[] =>
  [...Map.groupBy(models, ({ provider }) => provider)].map(([provider, entries]) => ({
    provider,
    total_tokens: sum(entries.map((entry) => entry.total_tokens)),
    cost_micro_usd: sum(entries.map((entry) => entry.cost_micro_usd)),
    request_count: sum(entries.map((entry) => entry.request_count)),
  }));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
