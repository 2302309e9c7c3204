import { getRefusals, getSpend } from '@portcullis/contracts/routes/spend';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { loadRefusals } from './refusal-queries.ts';
import { loadSpend } from './spend-queries.ts';

export const spendRoutes = (database: Database): BoundRoute[] => [
  bind(getSpend, async ({ query }) => ({
    data: await readConsistent(database, (moment) => loadSpend(moment, query, new Date())),
  })),
  bind(getRefusals, async ({ query }) => ({
    data: await readConsistent(database, (moment) => loadRefusals(moment, query, new Date())),
  })),
];
