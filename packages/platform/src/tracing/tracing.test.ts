import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { PassThrough } from 'node:stream';
import { trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createLogger, transports } from 'winston';
import { parseConfigOrThrow } from '../config/config.ts';
import { startTracing } from './start-tracing.ts';
import { withSpan } from './with-span.ts';

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code: number; readonly message?: string };
}
interface ReceivedBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: ReceivedSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

/** A collector on loopback that keeps what it is sent. */
let collector: Server;
let origin: string;
let requests: { readonly path: string; readonly body: ReceivedBody }[];
let status = 200;
let stop: AsyncDisposable | undefined;

beforeEach(async () => {
  requests = [];
  status = 200;
  collector = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ path: request.url ?? '', body: JSON.parse(body) });
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const address = collector.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterEach(async () => {
  await stop?.[Symbol.asyncDispose]();
  collector.closeAllConnections();
  collector.close();
});

let logged = '';
const stream = new PassThrough().on('data', (chunk: Buffer) => (logged += chunk.toString()));
const log = createLogger({ transports: [new transports.Stream({ stream })] });

async function start(environment: Record<string, string>): Promise<void> {
  logged = '';
  stop = await startTracing(parseConfigOrThrow(environment), log);
}
/** Disposing delivers what there is. */
async function deliver(): Promise<readonly ReceivedSpan[]> {
  await stop?.[Symbol.asyncDispose]();
  stop = undefined;
  return requests.flatMap(({ body }) =>
    body.resourceSpans.flatMap((each) => each.scopeSpans.flatMap(({ spans }) => spans)),
  );
}

describe('tracing', () => {
  test('is off by default: spans cost nothing and reach nobody', async () => {
    await start({ TRACING_OTLP_ENDPOINT: origin });
    const answer = withSpan('quiet', {}, (span) => [span.isRecording(), trace.getActiveSpan()]);
    expect(answer).toEqual([false, undefined]);
    await deliver();
    expect(requests).toEqual([]);
  });

  test('sends spans as OTLP JSON to /v1/traces, with what names the service', async () => {
    await start({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: origin, TRACING_ENVIRONMENT: 'staging' });
    withSpan('outer', { 'proxy.id': 7 }, () => withSpan('inner', { 'policy.matched': true }, () => {}));
    const [inner, outer] = await deliver();
    expect(requests.map(({ path }) => path)).toEqual(['/v1/traces']);
    expect(requests[0]?.body.resourceSpans[0]?.resource.attributes).toEqual(
      expect.arrayContaining([
        { key: 'service.name', value: { stringValue: 'portcullis' } },
        { key: 'deployment.environment.name', value: { stringValue: 'staging' } },
      ]),
    );
    expect([inner?.name, outer?.name]).toEqual(['inner', 'outer']);
    expect(inner?.parentSpanId).toBe(outer?.spanId);
    expect(inner?.traceId).toBe(outer?.traceId);
    expect(outer?.attributes).toEqual([{ key: 'proxy.id', value: { intValue: 7 } }]);
    expect(inner?.attributes).toEqual([{ key: 'policy.matched', value: { boolValue: true } }]);
  });

  test('keeps a path that is given, and takes the Jaeger variable when the other is absent', async () => {
    await start({ TRACING_ENABLED: 'true', TRACING_JAEGER_URL: `${origin}/custom/traces` });
    withSpan('x', {}, () => {});
    await deliver();
    expect(requests.map(({ path }) => path)).toEqual(['/custom/traces']);
  });

  test('ends the span of asynchronous work when it settles, and keeps its children under it', async () => {
    await start({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: origin });
    const answer = await withSpan('waiting', {}, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return withSpan('child', {}, () => 42);
    });
    const [child, waiting] = await deliver();
    expect(answer).toBe(42);
    expect(child?.parentSpanId).toBe(waiting?.spanId);
  });

  test('marks spans of work that threw or rejected, and passes the error on', async () => {
    await start({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: origin });
    const fail = () => {
      throw new Error('a fault of the test');
    };
    expect(() => withSpan('throws', {}, fail)).toThrow('a fault of the test');
    await expect(withSpan('rejects', {}, async () => fail())).rejects.toThrow('a fault of the test');
    withSpan('fine', {}, () => {});
    const spans = await deliver();
    expect(spans.map(({ name, status }) => [name, status.code, status.message])).toEqual([
      ['throws', 2, 'a fault of the test'],
      ['rejects', 2, 'a fault of the test'],
      ['fine', 0, undefined],
    ]);
  });

  test('samples whole traces: what is left out is left out with its children', async () => {
    await start({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: origin, TRACING_SAMPLE_RATE: '0.5' });
    for (let n = 0; n < 200; n += 1) withSpan('root', {}, () => withSpan('child', {}, () => {}));
    const spans = await deliver();
    const roots = new Set(spans.filter(({ name }) => name === 'root').map(({ traceId }) => traceId));
    const children = new Set(spans.filter(({ name }) => name === 'child').map(({ traceId }) => traceId));
    expect(children).toEqual(roots);
    expect(roots.size).toBeGreaterThan(40);
    expect(roots.size).toBeLessThan(160);
  });

  test('a sample rate of 0 records nothing', async () => {
    await start({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: origin, TRACING_SAMPLE_RATE: '0' });
    withSpan('root', {}, () => withSpan('child', {}, () => {}));
    expect(await deliver()).toEqual([]);
  });

  test('without a collector it stays off and says so', async () => {
    await start({ TRACING_ENABLED: 'true' });
    expect(withSpan('x', {}, (span) => span.isRecording())).toBe(false);
    await waitFor(() => logged.includes('names no collector'), { what: 'the warning' });
  });

  test('a collector that refuses costs one line in the log and nothing else', async () => {
    status = 400;
    await start({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: origin });
    expect(withSpan('x', {}, () => 'the answer')).toBe('the answer');
    await deliver();
    await waitFor(() => logged.includes('Traces cannot be delivered'), { what: 'the warning' });
    expect(logged.trim().split('\n')).toHaveLength(1);
  });
});
