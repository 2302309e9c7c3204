import { getTeamTokens, getTeamUsage, listTeamUsage } from '@portcullis/contracts/routes/teams';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { unknownUserGroup } from '../user-groups/user-group-routes.ts';
import { firstDay, loadModels, loadTeamUsage, type ModelSums } from './team-queries.ts';

export function teamRoutes(database: Database): BoundRoute[] {
  const loadOrThrow = async (id: number, days: number) => {
    const [usage] = await loadTeamUsage(database, firstDay(days, new Date()), id);
    if (usage === undefined) throw unknownUserGroup(id);
    return { ...usage, period_days: days };
  };

  return [
    bind(listTeamUsage, async ({ query }) => ({
      data: [...(await loadTeamUsage(database, firstDay(query.days, new Date())))],
    })),

    bind(getTeamUsage, async ({ params, query }) => ({ data: await loadOrThrow(params.id, query.days) })),

    bind(getTeamTokens, async ({ params, query }) => {
      const usage = await loadOrThrow(params.id, query.days);
      const models = await loadModels(database, firstDay(query.days, new Date()), params.id);
      return {
        data: {
          ...usage,
          model_breakdown: models.map(renderCost),
          provider_breakdown: sumByProvider(models).map(renderCost),
        },
      };
    }),
  ];
}

const microUsdPerUsd = 1_000_000;

const renderCost = <Row extends { readonly cost_micro_usd: number }>({
  cost_micro_usd: costMicroUsd,
  ...same
}: Row) => ({
  ...same,
  total_cost: costMicroUsd / microUsdPerUsd,
});

const sumByProvider = (models: readonly ModelSums[]): readonly Omit<ModelSums, 'model'>[] =>
  [...Map.groupBy(models, ({ provider }) => provider)].map(([provider, entries]) => ({
    provider,
    total_tokens: sum(entries.map((entry) => entry.total_tokens)),
    cost_micro_usd: sum(entries.map((entry) => entry.cost_micro_usd)),
    request_count: sum(entries.map((entry) => entry.request_count)),
  }));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
