import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { GuardrailCheckRecord, SpoolRecord } from '@portcullis/contracts/records';
import type { Route } from '@portcullis/contracts/route';
import { listApprovals } from '@portcullis/contracts/routes/approvals';
import { getOrganizationBreakdown } from '@portcullis/contracts/routes/budgets';
import { getCanaryStats, listCanaryLeakages } from '@portcullis/contracts/routes/canaries';
import { getGuardrailMetrics, listGuardrailChecks } from '@portcullis/contracts/routes/guardrail-checks';
import { createPolicy } from '@portcullis/contracts/routes/policies';
import { getPolicyMetrics } from '@portcullis/contracts/routes/policy-metrics';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { getProxyStats, getProxyTokens, listProxyAlerts } from '@portcullis/contracts/routes/proxy-records';
import { getRefusals, getSpend } from '@portcullis/contracts/routes/spend';
import { getTeamTokens, listTeamUsage } from '@portcullis/contracts/routes/teams';
import { createUserGroup, listUserGroups } from '@portcullis/contracts/routes/user-groups';
import type { Database } from '@portcullis/platform/database/database';
import { createDefinitionScanner } from '@portcullis/platform/policies/definition-scanner';
import { readMetrics } from '@portcullis/platform/metrics/metrics-report';
import { watchRecentMetrics, type RecentMetrics } from '@portcullis/platform/metrics/recent-metrics';
import { interruptAfter } from '@portcullis/platform/test/interrupt-after';
import { randomUUID } from 'node:crypto';
import { examplePolicy } from '../test/example-policy.ts';
import { alertRecord, record, requestLogRecord, usageRecord } from '../test/records.ts';
import { startManagement, type TestManagement } from '../test/start-management.ts';
import { approvalRoutes } from './approvals/approval-routes.ts';
import { budgetRoutes } from './budgets/budget-routes.ts';
import { canaryRoutes } from './canaries/canary-routes.ts';
import { resolveObservations } from './canaries/resolve-observations.ts';
import { guardrailCheckRoutes } from './guardrail-providers/check-routes.ts';
import { policyMetricsRoutes } from './policies/policy-metrics.ts';
import { recordRoutes } from './proxies/record-routes.ts';
import { spendRoutes } from './spend/spend-routes.ts';
import { teamRoutes } from './teams/team-routes.ts';
import { userGroupRoutes } from './user-groups/user-group-routes.ts';

let management: TestManagement;
let recent: RecentMetrics;
let proxy: { readonly id: number };
let group: { readonly id: number };
const policyName = 'watched';

beforeAll(async () => {
  management = await startManagement('server');
  const { admin, infrastructure } = management;
  recent = watchRecentMetrics({ readFamilies: () => readMetrics(infrastructure.metrics.registry) });
  const body = { name: 'llm', type: 'llm', target: 'http://127.0.0.1:9', port: 22_301 } as const;
  proxy = await admin.data(createProxy, { body });
  group = await admin.data(createUserGroup, { body: { name: 'team' } });
  await admin.data(createPolicy, { body: { document: examplePolicy(policyName) } });
});
afterAll(async () => {
  await recent[Symbol.asyncDispose]();
  await management.stop();
});

const common = () => ({
  event_id: randomUUID(),
  timestamp: new Date().toISOString(),
  request_id: randomUUID(),
  proxy_id: proxy.id,
});
const guardrailCheck = (): GuardrailCheckRecord => ({
  kind: 'guardrail_check',
  ...common(),
  provider_id: 1,
  provider_name: 'judge',
  provider_type: 'openai_moderation',
  user_group_id: null,
  api_key_id: null,
  direction: 'request',
  verdict: 'violation',
  action: 'block',
  categories: ['violence'],
  confidence: 1,
  latency_ms: 1,
  tokens: null,
  cached: false,
  error: null,
  content_preview: null,
});
/** Planted for one key and seen from another. */
const leakage = (token: string): SpoolRecord[] => {
  const canary = { token, session: 's', user_identity: null, user_group: null };
  return [
    { kind: 'canary_planted', ...common(), ...canary, principal: 'key:1' },
    { kind: 'canary_seen', ...common(), ...canary, principal: 'key:2', source: '127.0.0.1', target: '/' },
  ];
};

/** Something of everything that answers are put together from. */
async function arrive(): Promise<void> {
  const name = randomUUID();
  const ofTeam = { proxy_id: proxy.id, user_group_id: group.id };
  await record(management.infrastructure, [
    requestLogRecord({ ...ofTeam, path: `/${name}` }),
    requestLogRecord({ ...ofTeam, denied_reason: name, denied_stage: 'check_access' }),
    usageRecord({ ...ofTeam, model: name }),
    alertRecord({ proxy_id: proxy.id, policy_name: policyName }),
    guardrailCheck(),
    ...leakage(name.slice(0, 8)),
  ]);
  await management.infrastructure.database.kysely
    .insertInto('mcp_tool_changes')
    .values({
      proxy_id: proxy.id,
      tool_name: name,
      change_type: 'tool_changed',
      severity: 'Low',
      status: 'pending',
      source: 'traffic',
    })
    .execute();
  await resolveObservations(management.infrastructure.database, { alertOnEcho: false });
  await management.admin.data(createUserGroup, { body: { name } });
}

async function ask(database: Database, route: Route, input: object): Promise<unknown> {
  const bound = [
    ...approvalRoutes({ database, coordination: management.infrastructure.coordination }, createDefinitionScanner()),
    ...budgetRoutes(database),
    ...canaryRoutes(database),
    ...guardrailCheckRoutes(database),
    ...policyMetricsRoutes(database, recent),
    ...recordRoutes(database),
    ...spendRoutes(database),
    ...teamRoutes(database),
    ...userGroupRoutes(database),
  ].find((each) => each.route === route);
  const call = { caller: undefined, bearer: undefined, clientIp: '127.0.0.1', userAgent: undefined, requestId: 'r' };
  const browser = { method: 'GET', cookie: undefined, csrfToken: undefined, calledOrigin: 'http://localhost' };
  return bound?.handler({ ...call, browser, params: undefined, query: undefined, body: undefined, ...input });
}

const page = { limit: 50, offset: 0 };
test.each<[string, Route, () => object]>([
  ['a list and its total', listUserGroups, () => ({ query: page })],
  ['what waits, and its counts', listApprovals, () => ({ query: { limit: 50 } })],
  ['the list of teams', listTeamUsage, () => ({ query: { ...page, days: 30 } })],
  ['what a team used, by model', getTeamTokens, () => ({ params: group, query: { days: 30 } })],
  ['what a period cost', getOrganizationBreakdown, () => ({ query: { period: 'last_30_days', limit: 50 } })],
  [
    'what was refused',
    getRefusals,
    () => ({ query: { group_by: 'key,reason', order: 'count', limit: 50, offset: 0 } }),
  ],
  ['what was spent', getSpend, () => ({ query: { group_by: 'team', order: 'cost', limit: 50, offset: 0 } })],
  ['the hits of a policy', getPolicyMetrics, () => ({ params: { name: policyName }, query: { days: 30 } })],
  ['the statistics of a proxy', getProxyStats, () => ({ params: proxy, query: { hours: 24 } })],
  ['the tokens of a proxy', getProxyTokens, () => ({ params: proxy, query: { days: 30 } })],
  ['the alerts of a proxy', listProxyAlerts, () => ({ params: proxy, query: { ...page, order: 'desc' } })],
  ['the guardrail checks', listGuardrailChecks, () => ({ query: { ...page, time_range: '24h' } })],
  ['what guardrails found', getGuardrailMetrics, () => ({ query: { time_range: '24h' } })],
  ['the leakages', listCanaryLeakages, () => ({ query: page })],
  ['the figures of the canaries', getCanaryStats, () => ({ query: { days: 30 } })],
])('%s are consistent, also when records arrive while they are put together', async (_what, route, input) => {
  const { database } = management.infrastructure;
  let interrupted = true;
  for (let answers = 1; interrupted; answers += 1) {
    interrupted = false;
    const before = await ask(database, route, input());
    const during = await ask(
      interruptAfter(database, answers, () => {
        interrupted = true;
        return arrive();
      }),
      route,
      input(),
    );
    expect([before, await ask(database, route, input())]).toContainEqual(during);
  }
});
