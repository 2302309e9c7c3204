import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { managementRoutes } from '@portcullis/contracts/all-routes';
import type { Route } from '@portcullis/contracts/route';
import { login } from '@portcullis/contracts/routes/auth';
import { listProxies } from '@portcullis/contracts/routes/proxies';
import { getHealth } from '@portcullis/contracts/routes/system';
import { Secret } from '@portcullis/platform/config/secret';
import { openCoordination } from '@portcullis/platform/hosting/open-coordination';
import { openDatabase } from '@portcullis/platform/database/connection/open-database';
import { mountRoutes } from '@portcullis/platform/routes/mount-routes';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { disposeParts } from '@portcullis/platform/service/service-part';
import { openTcpRelay, type TcpRelay } from '@portcullis/platform/test/tcp-relay';
import { silentLog } from '@portcullis/platform/test/test-database';
import { waitFor } from '@portcullis/testkit/wait-for';
import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { createApiClient, type ApiClient } from '../test/api-client.ts';
import { validRequestsOf } from '@portcullis/platform/test/generated-requests/generated-request';
import { adminPassword, listen, startManagement, testRedisUrl, type TestManagement } from '../test/start-management.ts';
import { operationsOf, type OpenApiDocument } from '@portcullis/platform/test/generated-requests/open-api-document';
import { bindRoutes } from './routes.ts';
import { createManagementService } from './service.ts';
import { createManagementParts } from './service-parts.ts';
import { createServiceTable } from './service-table.ts';
import { createHealthCheck } from './system/health.ts';
import { createBodyMemory } from '@portcullis/platform/http/body-memory';

/** What each public route answers without the database, which it needs only where it says 503. */
const publicAnswers: Readonly<Record<string, number>> = {
  'POST /auth/login': 503,
  // Its body is looked at first.
  'POST /auth/session': 400,
  'POST /auth/refresh': 503,
  'POST /auth/logout': 503,
  'GET /auth/oauth/providers': 503,
  'GET /auth/oauth/login/:provider': 503,
  'GET /auth/oauth/callback/:provider': 503,
  'POST /oauth/authorize': 400,
  'POST /oauth/authorize/:provider_id': 503,
  'GET /oauth/start': 400,
  'GET /oauth/callback': 400,
  'POST /oauth/validate': 400,
  'POST /oauth/refresh': 400,
  'POST /oauth/logout': 400,
  'GET /oauth/health': 503,
  'GET /mcp/discover': 503,
  // Answers of these name a proxy and come in a form, which is looked at first.
  'GET /.well-known/oauth-authorization-server': 400,
  'GET /oauth-proxy/callback/:provider_id': 400,
  'GET /oauth-proxy/:id/authorize': 503,
  'POST /oauth-proxy/:id/consent': 415,
  'POST /oauth-proxy/:id/register': 400,
  'POST /oauth-proxy/:id/revoke': 415,
  'POST /oauth-proxy/:id/token': 415,
  'GET /health': 500,
  'GET /metrics/prometheus': 200,
  'GET /openapi.json': 200,
  'GET /docs': 200,
  'GET /docs/start.js': 200,
  'GET /docs/swagger-ui-bundle.js': 200,
  'GET /docs/swagger-ui.css': 200,
};

const isPublic = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  `${method} ${path.replace('/api/v1', '')}` in publicAnswers;

/** Both stores stand behind relays. The service is started while Redis is away. */
describe('outages', () => {
  const opened = new AsyncDisposableStack();
  const unhandled: unknown[] = [];
  let management: TestManagement;
  let infrastructure: Infrastructure;
  let databaseRelay: TcpRelay;
  let redisRelay: TcpRelay;
  let origin: string;
  let admin: ApiClient;

  const openRelay = async ({ hostname, port }: URL) => opened.use(await openTcpRelay(hostname, Number(port)));
  const through = (url: URL, { port }: TcpRelay): Secret => {
    const relayed = new URL(url);
    relayed.host = `127.0.0.1:${port}`;
    return new Secret(relayed.href);
  };
  const note = (reason: unknown) => void unhandled.push(reason);

  beforeAll(async () => {
    process.on('unhandledRejection', note);
    management = await startManagement('server');
    opened.defer(() => management.stop());
    const [databaseUrl, redisUrl] = [new URL(management.databaseUrl?.reveal() ?? ''), new URL(testRedisUrl().reveal())];
    [databaseRelay, redisRelay] = [await openRelay(databaseUrl), await openRelay(redisUrl)];
    await redisRelay.cut();
    const { dataDirectory } = management.infrastructure;
    const common = { dataDirectory, log: silentLog };
    infrastructure = {
      ...management.infrastructure,
      database: opened.use(
        await openDatabase({
          ...common,
          url: through(databaseUrl, databaseRelay),
          maxConnections: 5,
          queryTimeoutMs: 5_000,
        }),
      ),
      coordination: opened.use(
        await openCoordination({
          ...common,
          redisUrl: through(redisUrl, redisRelay),
          keyPrefix: `test-${randomUUID()}:`,
        }),
      ),
    };
    const service = opened.use(createManagementService(infrastructure));
    await service.start();
    origin = await listen(service, opened);
    admin = createApiClient(origin, management.adminToken);
    // What says goodbye to the stores does it at once.
    for (const relay of [databaseRelay, redisRelay]) opened.defer(() => relay.restore().catch(() => undefined));
  });
  afterAll(async () => {
    await opened.disposeAsync();
    process.off('unhandledRejection', note);
  });

  const signIn = () => admin.status(login, { body: { username: 'admin', password: adminPassword } });
  const healthy = async () =>
    (await admin.status(getHealth)) === 200 && (await admin.data(getHealth)).status === 'healthy';

  test('it starts and answers while Redis is away, lets no client guess passwords, and recovers by itself', async () => {
    expect(await admin.data(listProxies)).toEqual([]);
    expect(await admin.data(getHealth)).toMatchObject({
      status: 'degraded',
      problems: ['coordination: does not answer'],
    });
    expect(await signIn()).toBe(503);

    await redisRelay.restore();
    await waitFor(healthy, { what: 'health to recover' });
    expect(await signIn()).toBe(200);
  });

  test('every route says so in the envelope while the database is away', async () => {
    await databaseRelay.cut();
    const given: Record<string, number> = {};
    const wanted: Record<string, number> = {};
    for (const route of managementRoutes) {
      const name = `${route.method} ${route.path}`;
      wanted[name] = route.role === 'public' ? (publicAnswers[name] ?? 0) : 503;
      given[name] = await admin.status(route, { params: paramsOf(route), ...bodyOf(route) });
    }
    expect(given).toEqual(wanted);
    const withKey = createApiClient(origin, undefined).withKey(`gw_${'k'.repeat(40)}`);
    for (const route of managementRoutes.filter(({ acceptsApiKey }) => acceptsApiKey === true)) {
      expect(await withKey.refusal(route, { params: paramsOf(route) })).toMatchObject({ status: 503, success: false });
    }
  });

  test('no handler fails on it in any other way, when it goes away after the caller was identified', async () => {
    const document = (await (await fetch(`${origin}/api/v1/openapi.json`)).json()) as OpenApiDocument;
    const address = await listen({ mounts: [{ prefix: '/', http: mountForAdmin(infrastructure, opened) }] }, opened);
    const failed: string[] = [];
    const unavailable = new Set<string>();
    for (const operation of operationsOf(document).filter((one) => !isPublic(one))) {
      for (const { method, path, body } of fc.sample(validRequestsOf(operation, document), { numRuns: 4, seed: 7 })) {
        const headers = { authorization: 'Bearer a.login.token', 'content-type': 'application/json' };
        const response = await fetch(`${address}${path}`, { method, headers, ...(body !== undefined && { body }) });
        const text = await response.text();
        if (response.status === 500) failed.push(`${operation.operationId}: ${text}`);
        if (response.status === 503) unavailable.add(operation.operationId);
      }
    }
    expect(failed).toEqual([]);
    // Not all: some need no database, and some find a fault in what was generated before they ask it.
    expect(unavailable.size).toBeGreaterThan(100);
  });

  test('it lives, and serves again by itself when the database is back', async () => {
    await databaseRelay.restore();
    await waitFor(healthy, { what: 'health to recover' });
    expect(await admin.data(listProxies)).toEqual([]);
    expect(await signIn()).toBe(200);
    expect(unhandled).toEqual([]);
  });
});

const paramsOf = ({ path }: Route) => Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, 1]));

const bodyOf = (route: Route) => {
  if (route.parts.body === undefined) return {};
  return { body: route === login ? { username: 'admin', password: adminPassword } : {} };
};

/** The routes alone, for a caller who needs no looking up. */
function mountForAdmin(infrastructure: Infrastructure, opened: AsyncDisposableStack) {
  const parts = createManagementParts(infrastructure, silentLog);
  opened.defer(() => disposeParts(createServiceTable(parts)));
  const own = { name: 'management-api', health: () => ({ status: 'healthy' as const, problems: [] }) };
  return mountRoutes({
    contract: managementRoutes,
    bound: bindRoutes(parts, createHealthCheck({ ...infrastructure, log: silentLog, own })),
    authentication: {
      browser: () => Promise.resolve(undefined),
      user: () => Promise.resolve({ kind: 'user', id: 1, username: 'admin', role: 'admin', mustChangePassword: false }),
      apiKey: () => Promise.reject(new Error('No client presents a key here')),
    },
    allowsOrigin: () => false,
    maxBodyBytes: 1_048_576,
    bodyMemory: createBodyMemory(1_000_000),
    log: silentLog,
    observe: () => undefined,
  });
}
