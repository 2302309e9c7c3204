import { getGuardrailMetrics, listGuardrailChecks } from '@portcullis/contracts/routes/guardrail-checks';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { loadCheckPage, loadGuardrailMetrics } from './check-queries.ts';

export const guardrailCheckRoutes = (database: Database): BoundRoute[] => [
  bind(listGuardrailChecks, async ({ query }) => ({
    data: await readConsistent(database, (moment) => loadCheckPage(moment, query)),
  })),
  bind(getGuardrailMetrics, async ({ query }) => ({
    data: await readConsistent(database, (moment) => loadGuardrailMetrics(moment, query)),
  })),
];
