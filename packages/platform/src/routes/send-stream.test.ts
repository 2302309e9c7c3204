import { expect, test } from '@jest/globals';
import { defineRoute } from '@portcullis/contracts/route';
import { waitFor } from '@portcullis/testkit/wait-for';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from 'winston';
import { DatabaseUnavailable } from '../database/database-unavailable.ts';
import { bind } from './bound-route.ts';
import { mountRoutes } from './mount-routes.ts';
import { createBodyMemory } from '../http/body-memory.ts';

const route = defineRoute({
  method: 'GET',
  path: '/export',
  role: 'public',
  summary: '',
  tag: '',
  contentType: ['text/csv'],
  parts: {},
  errors: [],
});

async function serve(stream: () => AsyncGenerator<string>) {
  const app = mountRoutes({
    contract: [route],
    bound: [bind(route, () => ({ stream: stream(), contentType: 'text/csv', fileName: 'a.csv' }))],
    authentication: {
      browser: () => Promise.resolve(undefined),
      user: () => Promise.reject(new Error()),
      apiKey: () => Promise.reject(new Error()),
    },
    allowsOrigin: () => false,
    maxBodyBytes: 1_000,
    bodyMemory: createBodyMemory(1_000_000),
    log: createLogger({ silent: true }),
    observe: () => {},
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/export`;
  return { url, [Symbol.dispose]: () => server.close().closeAllConnections() };
}

test('is sent piece by piece under its name', async () => {
  using server = await serve(async function* () {
    yield 'a\n';
    yield 'ü\n';
  });
  const response = await fetch(server.url);
  expect(await response.text()).toBe('a\nü\n');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="a.csv"');
  expect(response.headers.get('content-type')).toContain('text/csv');
});

test('may be empty', async () => {
  using server = await serve(async function* () {});
  const response = await fetch(server.url);
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('that fails at once is a failure with its status; later it is broken off', async () => {
  using down = await serve(async function* () {
    yield await Promise.reject(new DatabaseUnavailable(new Error('away')));
  });
  expect((await fetch(down.url)).status).toBe(503);
  using breaking = await serve(async function* () {
    yield 'a';
    throw new Error('boom');
  });
  await expect(fetch(breaking.url).then((response) => response.text())).rejects.toThrow('terminated');
});

test('waits for a client that does not read, and ends with one that goes', async () => {
  let made = 0;
  let ended = false;
  using server = await serve(async function* () {
    try {
      for (; made < 100_000; made += 1) yield 'x'.repeat(10_000);
    } finally {
      ended = true;
    }
  });
  const request = get(server.url);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.pause();
  let before = -1;
  const rests = () => {
    const unchanged = made === before;
    before = made;
    return unchanged;
  };
  await waitFor(rests, { what: 'the source to rest', intervalMs: 50 });
  expect(made).toBeLessThan(5_000);
  request.destroy();
  await waitFor(() => ended, { what: 'the end of the source' });
});
