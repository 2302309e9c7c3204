import { expect, test } from '@jest/globals';
import { parseConfigOrThrow } from '@portcullis/platform/config/config';
import { createLogger } from '@portcullis/platform/log/logger';
import { startTracing } from '@portcullis/platform/tracing/start-tracing';
import { startTraceCollector } from '@portcullis/testkit/trace-collector';
import { waitFor } from '@portcullis/testkit/wait-for';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openHubArrival } from './hub-arrival.ts';

test('what the hub answers itself is counted and traced as every request', async () => {
  await using collector = await startTraceCollector();
  const environment = { TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: collector.url };
  const tracing = await startTracing(
    parseConfigOrThrow(environment),
    createLogger({ LOG_LEVEL: 'error', LOG_FORMAT: 'json' }),
  );
  const observed: object[] = [];
  const server = createServer((request, response) => {
    const arrival = openHubArrival({ observeRequest: (one) => observed.push(one) }, request, response);
    void arrival.answerDirectly(async () => {
      response.writeHead(200, { 'x-request-id': arrival.requestId }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/a2a/v1`, { method: 'POST', headers: { 'x-request-id': 'r-1' } });
  expect(answer.headers.get('x-request-id')).toBe('r-1');
  server.closeAllConnections();
  server.close();
  await waitFor(() => observed.length === 1, { what: 'the count' });
  expect(observed).toEqual([{ endpoint: '/a2a/v1', status: 200, durationMs: expect.any(Number) }]);
  await tracing[Symbol.asyncDispose]();
  expect(collector.spans()).toEqual([
    expect.objectContaining({
      name: 'POST /a2a/v1',
      attributes: expect.objectContaining({ 'http.route': '/a2a/v1', 'http.status_code': 200, 'request.id': 'r-1' }),
    }),
  ]);
});
