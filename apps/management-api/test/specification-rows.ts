import { expect } from '@jest/globals';
import { adminPassword } from './start-management.ts';

const { any } = expect;
const has = (fields: object): unknown => expect.objectContaining(fields);
const list = any(Array);
const text = any(String);
const number = any(Number);

const proxy = {
  id: number,
  name: text,
  type: text,
  transport: text,
  target: text,
  port: number,
  enabled: any(Boolean),
};
const listed = {
  policies: list,
  policy_count: number,
  active_policy_count: number,
  created_at: text,
  updated_at: text,
};
const running = { id: number, name: text, type: text, running: any(Boolean), port: number };
const budget = {
  monthly_budget: number,
  current_month_spending: number,
  budget_remaining: number,
  budget_utilization_percent: number,
  is_exceeded: any(Boolean),
  is_warning_threshold: any(Boolean),
  warning_threshold: number,
};
const access = {
  id: number,
  user_group_id: number,
  proxy_config_id: number,
  proxy_name: text,
  proxy_type: text,
  permissions: text,
  rate_limit: number,
  active: any(Boolean),
  created_at: text,
};
const prompt = { id: number, name: text, content: text, priority: number, active: any(Boolean) };
const pool = {
  open_connections: number,
  in_use: number,
  idle: number,
  wait_count: number,
  utilization_percent: number,
};
const tools = { proxy_id: number, tools: list };

/** Method and path, the body, what `data` has; and the name under which its id is known from then on. */
type Row = readonly [request: string, body?: object | undefined, data?: unknown, keep?: string];

const llm = { name: 'llm', type: 'llm', target: 'http://127.0.0.1:9', port: 29_001 };

/**
 * The specification's tables of what an admin calls, row by row in an order in which each finds what it
 * needs, as a client that was written from them sends it. Words in braces are ids of rows before.
 */
export const specificationRows: Readonly<Record<string, readonly Row[]>> = {
  'health and system': [
    ['GET /health', undefined, has({ status: 'healthy', timestamp: text, version: text })],
    ['GET /system/info', undefined, has({ version: text })],
    ['GET /system/settings', undefined, any(Object)],
    ['PUT /system/settings', { general: { system_name: 'Ours' } }, has({ general: has({ system_name: 'Ours' }) })],
    [
      'GET /metrics',
      undefined,
      has({
        request_metrics: has({ total_requests: number, total_errors: number, duration_p95: text }),
        database_metrics: has({ total_queries: number, slow_queries: number, duration_p50: text }),
        error_metrics: any(Object),
        proxy_metrics: any(Object),
        policy_metrics: has({ total_evaluations: number, hit_rate_percent: number, policy_details: any(Object) }),
        system_metrics: has({ cpu_usage_percent: number, memory_usage_mb: number, goroutine_count: number }),
        connection_pool_metrics: has(pool),
        cache_metrics: has({ hits: number, misses: number, hit_rate: number }),
      }),
    ],
    ['GET /metrics/prometheus'],
    ['GET /system/metrics', undefined, any(Object)],
    ['GET /system/db/pool/health', undefined, has({ status: 'healthy', ...pool })],
    ['GET /system/db/pool/stats', undefined, has({ ...pool, max_open_connections: number, wait_duration_ns: number })],
  ],
  'proxy configuration and lifecycle': [
    ['POST /proxies/', { ...llm, tags: ['one'], policy_names: ['llm-secrets'] }, has({ ...proxy, ...listed }), 'llm'],
    ['POST /proxies/', { name: 'mcp', type: 'mcp', target: '{peer}', port: 29_002 }, has(proxy), 'mcp'],
    ['GET /proxies/?type=llm&enabled=true&search=ll', undefined, [has({ ...proxy, name: 'llm' })]],
    ['GET /proxies/{llm}', undefined, has(proxy)],
    ['PUT /proxies/{llm}', { description: 'changed' }, has({ ...proxy, description: 'changed' })],
    ['POST /proxies/{llm}/start'],
    [
      'GET /proxies/{llm}/status',
      undefined,
      has({ ...running, target: text, requests_processed: number, errors: number }),
    ],
    ['GET /proxies/status', undefined, [has(running), has(running)]],
    ['POST /proxies/{llm}/restart'],
    ['POST /proxies/{llm}/stop'],
    ['GET /proxies/{llm}/logs?limit=5', undefined, [has({ proxy_config_id: number, method: text, risk_level: text })]],
    [
      'GET /proxies/{llm}/stats?hours=24',
      undefined,
      has({ proxy_id: number, time_range_hours: 24, total_requests: 1, alerts_triggered: 2, top_endpoints: list }),
    ],
    [
      'GET /proxies/{llm}/tokens?days=30',
      undefined,
      has({ proxy_id: number, proxy_name: 'llm', period_days: 30, totals: any(Object), recent_usage: list }),
    ],
    ['GET /proxies/{llm}/alerts', undefined, has({ alerts: list, total: 2 })],
  ],
  'proxy policies': [
    ['GET /proxies/{llm}/policies', undefined, has({ assigned_policies: ['llm-secrets'], available_policies: list })],
    ['POST /proxies/{llm}/policies', { policy_names: ['{policy}'] }],
    ['DELETE /proxies/{llm}/policies/{policy}'],
    ['PUT /proxies/{llm}/policies/{policy}'],
  ],
  'MCP tools': [
    ['POST /proxies/{mcp}/tools/discover', undefined, has({ ...tools, discovered: 2, message: text })],
    ['GET /proxies/{mcp}/tools', undefined, has({ ...tools, count: 2 })],
    ['PUT /proxies/{mcp}/tools/a', { enabled: true }],
    ['PUT /proxies/{mcp}/tools/bulk', { tool_names: ['a', 'b'], enabled: false }],
    [
      'GET /proxies/{mcp}/tools/stats',
      undefined,
      { proxy_id: number, stats: has({ total_tools: 2, enabled_tools: 0, disabled_tools: 2, most_used_tools: list }) },
    ],
  ],
  'user groups, proxy access, API keys': [
    ['POST /user-groups', { name: 'team', monthly_budget: 10 }, has({ id: number }), 'group'],
    [
      'POST /api-keys',
      { name: 'k', user_group_id: '{group}', description: 'd', expires_in_days: 3 },
      has({ key: text }),
    ],
    [
      'GET /api-keys?user_group_id={group}',
      undefined,
      [has({ id: number, name: 'k', active: true, request_count: 0 })],
      'key',
    ],
    ['POST /api-keys/{key}/revoke'],
    ['DELETE /api-keys/{key}'],
    [
      'POST /user-groups/{group}/proxy-access',
      { proxy_config_id: '{llm}', permissions: '{}', rate_limit: 5 },
      has({ ...access, permissions: '{}', rate_limit: 5, system_prompt_id: null }),
      'access',
    ],
    ['GET /user-groups/{group}/proxy-access', undefined, { proxy_access: [has(access)] }],
    ['PUT /user-groups/{group}/proxy-access/{access}', { rate_limit: 9 }, has({ ...access, rate_limit: 9 })],
    ['POST /system-prompts', { name: 'team prompt', content: 'Be kind' }, has(prompt), 'team-prompt'],
    [
      'PATCH /user-groups/{group}/proxy-access/{access}',
      { system_prompt_id: '{team-prompt}' },
      has({ ...access, system_prompt_id: number }),
    ],
    ['GET /user-groups/{group}/budget-status', undefined, has({ user_group_id: number, ...budget })],
    ['PUT /user-groups/{group}/reset-budget'],
    ['DELETE /user-groups/{group}/proxy-access/{llm}'],
  ],
  budgets: [
    ['POST /api-keys', { user_group_id: '{group}' }],
    ['GET /api-keys?user_group_id={group}', undefined, [has({ id: number })], 'user'],
    ['GET /budgets/organization/status', undefined, has({ current_month_spending: number })],
    ['GET /budgets/users/{user}/status', undefined, any(Object)],
    ['GET /budgets/user-groups/{group}/status', undefined, has(budget)],
    ['GET /budgets/proxies/{llm}/status', undefined, any(Object)],
    ['GET /budgets/organization/breakdown?period=this_month', undefined, any(Object)],
    [
      'GET /budgets/organization/forecast',
      undefined,
      has({
        current_usage: number,
        days_remaining: number,
        projected_total: number,
        daily_average: number,
        recommendations: list,
      }),
    ],
    ['POST /budgets/organization/reset'],
    ['POST /budgets/users/{user}/reset'],
    ['POST /budgets/reset-all'],
    ['GET /budgets/reports/summary?period=this_month&format=pdf'],
    ['GET /budgets/reports/breakdown?period=this_month&format=csv'],
    ['GET /budgets/reports/breakdown?period=this_month&format=json', undefined, any(Object)],
  ],
  authentication: [
    ['POST /auth/login', { username: 'admin', password: adminPassword }, has({ token: text })],
    ['POST /auth/refresh', undefined, has({ token: text, expires_at: text })],
    ['GET /auth/oauth/providers', undefined, { providers: ['github', 'azure_ad', 'oidc'] }],
    ['GET /auth/oauth/callback/oidc?{returned}', undefined, has({ token: text, expires_at: text })],
    ['GET /auth/users/me', undefined, has({ id: number, username: 'admin', groups: list })],
    ['POST /auth/groups/{group}/proxies', { proxy_id: '{llm}' }, has(access)],
    ['GET /auth/groups/{group}/proxies', undefined, { proxy_access: [has(access)] }],
    ['POST /auth/groups/{group}/users/1'],
  ],
  alerts: [
    [
      'GET /system/alerts?severity=high,Critical&status=new&policy_name=llm-security&time_range=24h&limit=10&offset=0',
      undefined,
      has({
        alerts: [has({ severity: 'High', status: 'new', title: text, raw_data: any(Object) }), any(Object)],
        total: 2,
      }),
    ],
    ['PUT /system/alerts/{alert}/status', { status: 'acknowledged' }, has({ status: 'acknowledged' })],
    ['POST /system/alerts/bulk-acknowledge', { alert_ids: ['{alert}'] }],
    ['POST /system/alerts/bulk-resolve', { alert_ids: ['{alert}'] }],
    ['DELETE /system/alerts/{alert}'],
  ],
  'system prompts': [
    ['POST /system-prompts', { name: 'p', content: 'Hello {{.User}}', priority: 3 }, has(prompt), 'prompt'],
    ['GET /system-prompts', undefined, [has(prompt), has(prompt)]],
    [
      'GET /system-prompts/{prompt}',
      undefined,
      has({ ...prompt, injection_count: 0, skip_count: 0, last_injected_at: null }),
    ],
    ['PUT /system-prompts/{prompt}', { content: 'Goodbye' }, has({ ...prompt, content: 'Goodbye' })],
    ['POST /system-prompts/{prompt}/assign/proxy/{llm}', { priority: 7 }, has({ id: number }), 'assignment'],
    ['GET /proxies/{llm}/system-prompts', undefined, any(Object)],
    ['DELETE /system-prompts/assignments/{assignment}'],
    ['DELETE /system-prompts/{prompt}'],
  ],
  'what goes last': [['DELETE /proxies/{llm}']],
};
