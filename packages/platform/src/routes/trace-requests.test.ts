import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Exact } from '@portcullis/contracts/fields';
import { defineRoute } from '@portcullis/contracts/route';
import { startTraceCollector, type CollectedSpan, type TraceCollector } from '@portcullis/testkit/trace-collector';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { Type } from 'typebox';
import { transports } from 'winston';
import { parseConfigOrThrow } from '../config/config.ts';
import { createLogger } from '../log/logger.ts';
import { startTracing } from '../tracing/start-tracing.ts';
import { bind } from './bound-route.ts';
import { createOriginRule } from './cors.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { mountRoutes } from './mount-routes.ts';
import { createBodyMemory } from '../http/body-memory.ts';

const base = { role: 'public', summary: '', tag: '', errors: [] } as const;
const fail = defineRoute({
  ...base,
  method: 'POST',
  path: '/fail/:how',
  parts: { params: Exact({ how: Type.String() }), body: Exact({ n: Type.Integer() }) },
});
const traceId = '0af7651916cd43dd8448eb211c80319c';
const callersSpan = 'b7ad6b7169203331';

let collector: TraceCollector;
let tracing: AsyncDisposable;
let server: Server;
let logged: Record<string, unknown>[];

beforeEach(async () => {
  collector = await startTraceCollector();
  logged = [];
  const stream = new PassThrough().on('data', (line: Buffer) => logged.push(JSON.parse(line.toString())));
  const log = createLogger({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' }).clear().add(new transports.Stream({ stream }));
  tracing = await startTracing(
    parseConfigOrThrow({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: collector.url }),
    log,
  );
  const app = mountRoutes({
    contract: [fail],
    bound: [
      bind(fail, ({ params }) => {
        log.info('in the handler');
        throw params.how === 'refusal' ? new GatewayError('conflict') : new TypeError('a fault of the test');
      }),
    ],
    authentication: {
      browser: () => Promise.resolve(undefined),
      user: () => Promise.reject(new GatewayError('invalid_token')),
      apiKey: () => Promise.reject(new GatewayError('key_unknown')),
    },
    allowsOrigin: createOriginRule({ ENVIRONMENT: 'development', ALLOWED_ORIGINS: [] }),
    maxBodyBytes: 1_000,
    bodyMemory: createBodyMemory(1_000_000),
    log,
    observe: () => {},
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await tracing[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
  await collector[Symbol.asyncDispose]();
});

async function call(path: string, headers: Record<string, string> = {}): Promise<readonly CollectedSpan[]> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const body = JSON.stringify({ n: 1 });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  await response.text();
  await tracing[Symbol.asyncDispose]();
  return collector.spans();
}

test('a request is a span with what came of it, under the caller’s own, and its handler another below it', async () => {
  const spans = await call('/api/v1/fail/fault?token=secret', {
    traceparent: `00-${traceId}-${callersSpan}-01`,
    'x-request-id': 'the-request',
  });
  const request = spans.find(({ parentSpanId }) => parentSpanId === callersSpan);
  expect(request).toMatchObject({
    traceId,
    name: 'POST /api/v1/fail/:how',
    kind: 2,
    attributes: {
      'http.method': 'POST',
      'http.route': '/api/v1/fail/:how',
      'http.url': expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/fail\/fault\?token=\*$/),
      'http.status_code': 500,
      'request.id': 'the-request',
    },
    status: { code: 2 },
  });
  const handler = spans.find(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(handler).toMatchObject({
    name: 'handle POST /api/v1/fail/:how',
    status: { code: 2, message: 'a fault of the test' },
  });
  expect(spans).toHaveLength(2);
  expect(logged).toMatchObject([
    { message: 'in the handler', trace_id: traceId, span_id: handler?.spanId },
    { message: 'Internal error', trace_id: traceId, request_id: 'the-request' },
  ]);
});

test('a refusal is no failure, and what is no traceparent starts a trace of its own', async () => {
  const spans = await call('/api/v1/fail/refusal', { traceparent: `00-${'0'.repeat(32)}-${callersSpan}-01` });
  expect(spans.map(({ status }) => status.code)).toEqual([0, 0]);
  const request = spans.find(({ parentSpanId }) => parentSpanId === undefined);
  expect(request?.attributes['http.status_code']).toBe(409);
  expect(request?.traceId).not.toMatch(/^0+$/);
});

test('what a caller left unsampled stays so, and its log lines name the trace all the same', async () => {
  expect(await call('/api/v1/fail/fault', { traceparent: `00-${traceId}-${callersSpan}-00` })).toEqual([]);
  expect(logged[0]).toMatchObject({ trace_id: traceId });
});

test('a path that is none has no route', async () => {
  const [span] = await call('/nowhere');
  expect(span?.name).toBe('POST');
  expect(span?.attributes).not.toHaveProperty(['http.route']);
  expect(span?.attributes['http.status_code']).toBe(404);
});
