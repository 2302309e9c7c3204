import { PassThrough } from 'node:stream';
import { trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startTraceCollector, type CollectedSpan, type TraceCollector } from '@portcullis/testkit/trace-collector';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createLogger, transports } from 'winston';
import { parseConfigOrThrow } from '../config/config.ts';
import { startTracing } from './start-tracing.ts';
import { withSpan } from './with-span.ts';

let collector: TraceCollector;
let stop: AsyncDisposable | undefined;

beforeEach(async () => {
  collector = await startTraceCollector();
});
afterEach(async () => {
  await stop?.[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
});

let logged = '';
const stream = new PassThrough().on('data', (chunk: Buffer) => (logged += chunk.toString()));
const log = createLogger({ transports: [new transports.Stream({ stream })] });

async function start(environment: Record<string, string>): Promise<void> {
  logged = '';
  stop = await startTracing(parseConfigOrThrow(environment), log);
}
/** Disposing delivers what there is. */
async function deliver(): Promise<readonly CollectedSpan[]> {
  await stop?.[Symbol.asyncDispose]();
  stop = undefined;
  return collector.spans();
}

describe('tracing', () => {
  test('is off by default: spans cost nothing and reach no collector', async () => {
    await start({ TRACING_OTLP_ENDPOINT: collector.url });
    const answer = withSpan('quiet', {}, (span) => [span.isRecording(), trace.getActiveSpan()]);
    expect(answer).toEqual([false, undefined]);
    await deliver();
    expect(collector.requests).toEqual([]);
  });

  test('sends spans as OTLP JSON to /v1/traces, with what names the service', async () => {
    await start({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: collector.url, TRACING_ENVIRONMENT: 'staging' });
    withSpan('outer', { 'proxy.id': 7 }, () => withSpan('inner', { 'policy.matched': true }, () => {}));
    const [inner, outer] = await deliver();
    expect(collector.requests.map(({ path }) => path)).toEqual(['/v1/traces']);
    expect(outer?.resource).toMatchObject({ 'service.name': 'portcullis', 'deployment.environment.name': 'staging' });
    expect([inner?.name, outer?.name]).toEqual(['inner', 'outer']);
    expect(inner?.parentSpanId).toBe(outer?.spanId);
    expect(inner?.traceId).toBe(outer?.traceId);
    expect(outer?.attributes).toEqual({ 'proxy.id': 7 });
    expect(inner?.attributes).toEqual({ 'policy.matched': true });
  });

  test('keeps a path that is given, and takes the Jaeger variable when the other is absent', async () => {
    await start({ TRACING_ENABLED: 'true', TRACING_JAEGER_URL: `${collector.url}/custom/traces` });
    withSpan('x', {}, () => {});
    await deliver();
    expect(collector.requests.map(({ path }) => path)).toEqual(['/custom/traces']);
  });

  test('ends the span of asynchronous work when it settles, and keeps its children under it', async () => {
    await start({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: collector.url });
    const answer = await withSpan('waiting', {}, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return withSpan('child', {}, () => 42);
    });
    const [child, waiting] = await deliver();
    expect(answer).toBe(42);
    expect(child?.parentSpanId).toBe(waiting?.spanId);
  });

  test('marks spans of work that threw or rejected, and passes the error on', async () => {
    await start({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: collector.url });
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
    await start({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: collector.url, TRACING_SAMPLE_RATE: '0.5' });
    for (let n = 0; n < 200; n += 1) withSpan('root', {}, () => withSpan('child', {}, () => {}));
    const spans = await deliver();
    const roots = new Set(spans.filter(({ name }) => name === 'root').map(({ traceId }) => traceId));
    const children = new Set(spans.filter(({ name }) => name === 'child').map(({ traceId }) => traceId));
    expect(children).toEqual(roots);
    expect(roots.size).toBeGreaterThan(40);
    expect(roots.size).toBeLessThan(160);
  });

  test('a sample rate of 0 records nothing', async () => {
    await start({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: collector.url, TRACING_SAMPLE_RATE: '0' });
    withSpan('root', {}, () => withSpan('child', {}, () => {}));
    expect(await deliver()).toEqual([]);
  });

  test('without a collector it stays off and says so', async () => {
    await start({ TRACING_ENABLED: 'true' });
    expect(withSpan('x', {}, (span) => span.isRecording())).toBe(false);
    await waitFor(() => logged.includes('names no collector'), { what: 'the warning' });
  });

  test('a collector that refuses costs one line in the log and nothing else', async () => {
    collector.behave(400);
    await start({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: collector.url });
    expect(withSpan('x', {}, () => 'the answer')).toBe('the answer');
    await deliver();
    await waitFor(() => logged.includes('Traces cannot be delivered'), { what: 'the warning' });
    expect(logged.trim().split('\n')).toHaveLength(1);
  });

  test.each(['silent', 'away'] as const)(
    'a collector that is %s slows nothing, and little of it waits',
    async (how) => {
      await start({ TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: collector.url });
      if (how === 'away') await collector.down();
      else collector.behave('silent');
      for (let n = 0; n < 20_000; n += 1) expect(withSpan('x', {}, () => n)).toBe(n);
      const startedAt = performance.now();
      await deliver();
      // The time a collector is given once, for all that waits.
      expect(performance.now() - startedAt).toBeLessThan(11_000);
      const received = collector.requests.reduce((sum, { body }) => sum + body.split('"spanId"').length - 1, 0);
      expect(received).toBeLessThanOrEqual(2_048 + 512);
    },
  );
});
