import { randomUUID } from 'node:crypto';
import { answer, parseJsonBody, startLoopbackPeer } from '../../packages/testkit/src/loopback-peer.ts';
import type { TestGateway } from '../../packages/testkit/src/test-gateway.ts';
import { parseTraces } from '../../packages/testkit/src/trace-collector.ts';
import { waitFor } from '../../packages/testkit/src/wait-for.ts';
import { findFreePort } from '../../packages/testkit/src/free-port.ts';
import { startEchoTarget } from './echo-target.ts';
import { Crossings, markersIn, tenantNames, type TenantName } from './markers.ts';
import { sendAll, type ClientCounts } from './tenant-client.ts';

export interface TenantsReport extends ClientCounts {
  /** Requests that came to the target. */
  forwarded: number;
  /** Records of the gateway that were looked at. */
  logs: number;
  alerts: number;
  traces: number;
  crossings: number;
  /** The first of them. */
  examples: readonly string[];
}

interface Options {
  readonly requests: number;
  /** Connections at once. */
  readonly connections: number;
  readonly signal: AbortSignal;
}

/** Traces have all come when none has for so long. */
const quietMs = 6_000;
const pageSize = 1_000;
/** Pages of the request log that are looked at, the newest. */
const mostPages = 20;

/** Hides a word of each request and gives it back, and tells of another. */
const policy = (name: string) => ({
  name,
  policy_type: 'llm',
  rules: [
    {
      id: 'WORD',
      severity: 'Low',
      patterns: [`secret-(?:${tenantNames.join('|')})-\\d{9}`],
      action: 'redact',
      redact: { placeholder: '<WORD_{COUNT}>', restore: true },
    },
    { id: 'FLAG', severity: 'Low', patterns: [`flag-(?:${tenantNames.join('|')})-\\d{9}`], action: 'monitor' },
  ],
});

/** Two tenants on one proxy, each with a group and a key of its name. */
async function setUp({ admin }: TestGateway, target: string) {
  const name = `tenants-${randomUUID().slice(0, 8)}`;
  await admin.expect('POST', '/policies', { document: policy(name) });
  const port = await findFreePort();
  const proxy = await admin.expect<{ id: number }>('POST', '/proxies', {
    name,
    type: 'llm',
    target,
    port,
    policy_names: [name],
  });
  const keys = {} as Record<TenantName, string>;
  for (const tenant of tenantNames) {
    const group = await admin.expect<{ id: number }>('POST', '/user-groups', { name: `${tenant} group` });
    await admin.expect('POST', `/user-groups/${group.id}/proxy-access`, { proxy_config_id: proxy.id, rate_limit: 0 });
    const { key } = await admin.expect<{ key: string }>('POST', '/api-keys', {
      name: `${tenant} key`,
      user_group_id: group.id,
    });
    keys[tenant] = key;
  }
  await admin.expect('POST', `/proxies/${proxy.id}/start`);
  return { id: proxy.id, port, keys };
}

/** Sends requests of two tenants through one proxy, broken off in every way, and looks for the words of one where the other is. */
export async function runTenants(gateway: TestGateway, options: Options): Promise<TenantsReport> {
  const crossings = new Crossings();
  await using target = await startEchoTarget(crossings);
  await using traces = await openTraces(crossings);
  const { admin } = gateway;
  await admin.expect('PUT', '/system/settings', {
    llm_observability: {
      enabled: true,
      service: 'otlp',
      host: traces.url,
      include_content: true,
    },
  });
  const proxy = await setUp(gateway, target.url);
  const counts: ClientCounts = { requests: 0, answered: 0, aborted: 0, pipelined: 0 };
  let given = 0;
  const next = () => (given < options.requests && !options.signal.aborted ? (given += 1) : undefined);
  const traffic = { proxy, keys: proxy.keys, crossings, counts, next };
  await Promise.all(Array.from({ length: options.connections }, () => sendAll(traffic)));
  const logs = await checkLogs(gateway, proxy.id, crossings);
  const alerts = await checkAlerts(gateway, proxy.id, crossings);
  await traces.settled();
  for (const process of gateway.processes) for (const line of process.output) checkLine(line, crossings);
  const { count, examples } = crossings;
  return { ...counts, forwarded: target.count(), logs, alerts, traces: traces.count(), crossings: count, examples };
}

/** Takes traces, and looks at each as it comes. */
async function openTraces(crossings: Crossings) {
  let count = 0;
  let cameAtMs = performance.now();
  const peer = await startLoopbackPeer((request, response) => {
    peer.forget();
    cameAtMs = performance.now();
    for (const span of parseTraces(parseJsonBody(request))) {
      count += 1;
      checkTrace(span.attributes, crossings);
    }
    answer(response, 200, {});
  });
  return {
    ...peer,
    count: () => count,
    settled: () =>
      waitFor(() => count > 0 && performance.now() - cameAtMs > quietMs, { what: 'the traces', timeoutMs: 3_600_000 }),
  };
}

/** What went wrong with a request may be named by its id, and by nothing else of it. */
function checkLine(line: string, crossings: Crossings): void {
  if (markersIn(line.replace(/"request_id":"[^"]*"/, '')).size > 0)
    crossings.add(`a line of the log: ${line.slice(0, 300)}`);
}

interface LogRow {
  readonly request_id: string;
  readonly user_agent: string | null;
  readonly path: string;
}

/** The user agent and the id are the request's own. */
async function checkLogs({ admin }: TestGateway, proxyId: number, crossings: Crossings): Promise<number> {
  const read = (page: number) =>
    admin.expect<LogRow[]>('GET', `/proxies/${proxyId}/logs?limit=${pageSize}&offset=${page * pageSize}`);
  await waitFor(async () => (await read(0)).length > 0, { what: 'the request log' });
  let count = 0;
  for (let page = 0; page < mostPages; page += 1) {
    const rows = await read(page);
    for (const row of rows) {
      const own = row.user_agent ?? row.request_id;
      crossings.expectOnly(own, JSON.stringify(row), 'the log');
    }
    count += rows.length;
    if (rows.length < pageSize) break;
  }
  return count;
}

interface AlertRow {
  readonly request_id: string | null;
  readonly user_identity: string | null;
}

async function checkAlerts({ admin }: TestGateway, proxyId: number, crossings: Crossings): Promise<number> {
  const alerts = await waitFor(
    async () => {
      const found = await admin.expect<readonly AlertRow[] | { alerts: readonly AlertRow[] }>(
        'GET',
        `/proxies/${proxyId}/alerts?limit=100`,
      );
      const rows = 'alerts' in found ? found.alerts : found;
      return rows.length > 0 ? rows : undefined;
    },
    { what: 'alerts' },
  );
  for (const alert of alerts) {
    const text = JSON.stringify(alert);
    const tenant = alert.user_identity?.split(' ')[0] ?? '';
    crossings.expectTenant(tenant, text, 'the alert');
    crossings.expectOnly(alert.request_id ?? '', text, 'the alert');
  }
  return alerts.length;
}

/** A trace names the key, and has what was asked and answered. */
function checkTrace(attributes: Readonly<Record<string, unknown>>, crossings: Crossings): void {
  const text = JSON.stringify(attributes);
  const tenant = String(attributes['portcullis.api_key.name']).split(' ')[0] ?? '';
  crossings.expectTenant(tenant, text, 'the trace');
  const [first, ...others] = markersIn(text);
  if (first !== undefined && others.length > 0) crossings.add(`a trace of ${first} has ${others.join(', ')}`);
}
