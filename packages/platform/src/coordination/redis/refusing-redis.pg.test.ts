import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createKeptLog } from '../../../test/kept-log.ts';
import { openTcpRelay } from '../../../test/tcp-relay.ts';
import { Secret } from '../../config/secret.ts';
import { openRedisCoordination } from './redis-coordination.ts';
import { RedisStatus } from './redis-status.ts';

/** As a Redis in protected mode says to clients from other machines. */
const refusal =
  'DENIED Redis is running in protected mode because protected mode is enabled and no password is set for the default user. ' +
  'In this mode connections are only accepted from the loopback interface.';

let server: Server;
let came = 0;
beforeEach(async () => {
  came = 0;
  // It hangs up with the client's first words unread, which makes a reset of it.
  server = createServer({ pauseOnConnect: true }, (socket) => {
    came += 1;
    socket.on('error', () => undefined);
    socket.write(`-${refusal}\r\n`, () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => new Promise((closed) => server.close(closed)));

test.each(['', 'user:secret@'])(
  'a Redis in protected mode is told once, in its own words (%s)',
  async (credentials) => {
    const { log, lines } = createKeptLog();
    const raw = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { port } = server.address() as AddressInfo;
    const url = new Secret(`redis://${credentials}127.0.0.1:${port}`);
    const coordination = await openRedisCoordination({ url, log, keyPrefix: 'test:' });
    try {
      await waitFor(() => came > 12, { what: 'all connections to try several times' });
      await expect(coordination.check()).rejects.toThrow('Redis is out of reach');
      expect(lines).toMatchObject([{ level: 'warn', message: 'Redis is out of reach', problem: refusal }]);
      expect(raw.mock.calls).toEqual([]);
    } finally {
      await coordination[Symbol.asyncDispose]();
      raw.mockRestore();
    }
  },
);

test('a Redis that takes connections and says nothing is told as silent, and is used when it answers', async () => {
  const { log, lines } = createKeptLog();
  const real = new URL(process.env['TEST_REDIS_URL'] ?? '');
  await using relay = await openTcpRelay(real.hostname, Number(real.port));
  relay.slow(Number.POSITIVE_INFINITY);
  const url = new Secret(`redis://127.0.0.1:${relay.port}`);
  const coordination = await openRedisCoordination({ url, log, keyPrefix: 'test:' });
  try {
    await waitFor(() => lines.length > 0, { what: 'the line' });
    expect(lines).toMatchObject([{ problem: 'Redis says nothing for 2000 ms' }]);
    await relay.restore();
    await waitFor(() => coordination.check().then(() => true), { what: 'Redis' });
    await waitFor(() => lines.length > 1, { what: 'the other line' });
    expect(lines).toMatchObject([{ level: 'warn' }, { level: 'info', message: 'Redis is back' }]);
  } finally {
    await coordination[Symbol.asyncDispose]();
  }
});

test('what stays out of reach is told every minute, and its return when every connection is back', async () => {
  const { log, lines } = createKeptLog();
  const status = new RedisStatus(log);
  for (const second of [0, 1, 59, 60, 61, 119, 120]) {
    status.lost('calls', 'ECONNREFUSED', second * 1_000);
    status.lost('queues', 'ECONNREFUSED', second * 1_000);
  }
  status.found('calls');
  status.found('queues');
  status.found('queues');
  await waitFor(() => lines.length >= 4, { what: 'the lines' });
  expect(lines.map((line) => (line as { message: string }).message)).toEqual([
    ...Array<string>(3).fill('Redis is out of reach'),
    'Redis is back',
  ]);
});
