import { getGuardrailMetrics, listGuardrailChecks } from '@portcullis/contracts/routes/guardrail-providers';
import type { Database } from '@portcullis/platform/database/database';
import { readAtOneMoment } from '@portcullis/platform/database/read-at-one-moment';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { loadCheckPage, loadGuardrailMetrics } from './check-queries.ts';

export const guardrailCheckRoutes = (database: Database): BoundRoute[] => [
  bind(listGuardrailChecks, async ({ query }) => ({
    data: await readAtOneMoment(database, (moment) => loadCheckPage(moment, query)),
  })),
  bind(getGuardrailMetrics, async ({ query }) => ({
    data: await readAtOneMoment(database, (moment) => loadGuardrailMetrics(moment, query)),
  })),
];
