import {
  getOAuthAccessAnalytics,
  getOAuthGroupAnalytics,
  getOAuthProviderAnalytics,
  getOAuthRuleAnalytics,
  getOAuthTimeline,
  getOAuthUserAnalytics,
} from '@portcullis/contracts/routes/oauth-analytics';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { countAccess, countByGroup, countByProvider, loadTimeline } from './analytics-queries.ts';
import { countOAuthUsers } from './oauth-user-queries.ts';
import { countRules } from './rule-queries.ts';

export const oauthAnalyticsRoutes = (database: Database): BoundRoute[] => [
  bind(getOAuthUserAnalytics, async () => ({ data: await countOAuthUsers(database) })),
  bind(getOAuthRuleAnalytics, async () => ({ data: await countRules(database) })),
  bind(getOAuthAccessAnalytics, async ({ query }) => ({ data: await countAccess(database, query.days) })),
  bind(getOAuthProviderAnalytics, async ({ query }) => ({ data: await countByProvider(database, query.days) })),
  bind(getOAuthGroupAnalytics, async ({ query }) => ({ data: await countByGroup(database, query.days) })),
  bind(getOAuthTimeline, async ({ query }) => ({ data: await loadTimeline(database, query.days) })),
];
