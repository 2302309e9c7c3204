import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { liveEventsTopic } from '@portcullis/contracts/events';
import { liveEvents } from '@portcullis/contracts/live-events';
import { setAlertStatus } from '@portcullis/contracts/routes/alerts';
import { logout } from '@portcullis/contracts/routes/auth';
import { compileJsonSchema } from '@portcullis/platform/validation/compile-schema';
import { waitFor } from '@portcullis/testkit/wait-for';
import jwt from 'jsonwebtoken';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { createIdentity } from '@portcullis/platform/identity/identity';
import { createTokens } from '@portcullis/platform/identity/tokens';
import { createApiClient } from '../../test/api-client.ts';
import { alertRecord, record, requestLogRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';
import { loadStatsUpdate } from './load-stats-update.ts';
import { createLiveChannel, type LiveChannel } from './live-channel.ts';

/** A client that keeps what it hears. */
interface Listener {
  readonly socket: WebSocket;
  readonly heard: { readonly type: string; readonly payload: unknown }[];
  /** Set once it was let in, also when it has ended since. */
  opened?: true;
  /** Set when the connection has ended: the close code, or the status of a refused upgrade. */
  ended?: number;
}

function listenTo(origin: string, path: string, headers: Record<string, string> = {}): Listener {
  const listener: Listener = { socket: new WebSocket(origin.replace('http', 'ws') + path, { headers }), heard: [] };
  listener.socket.on('open', () => (listener.opened = true));
  listener.socket.on('message', (data: Buffer) => listener.heard.push(JSON.parse(data.toString())));
  listener.socket.on('unexpected-response', (_request, response) => {
    response.resume();
    listener.ended = response.statusCode ?? 0;
  });
  listener.socket.on('close', (code) => (listener.ended ??= code));
  listener.socket.on('error', () => undefined);
  return listener;
}

const end = (listener: Listener) => waitFor(() => listener.ended, { what: 'the end of the connection' });
const open = (listener: Listener) => waitFor(() => listener.opened, { what: 'the connection' });

describe.each(stores)('/ws (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  test('pushes every new alert to every client that has signed in', async () => {
    const byQuery = listenTo(management.origin, `/ws?token=${management.adminToken}`);
    const byMessage = listenTo(management.origin, '/ws');
    const silent = listenTo(management.origin, '/WS/');
    await open(byMessage);
    byMessage.socket.send(JSON.stringify({ type: 'auth', token: management.adminToken }));
    await Promise.all([byQuery, silent].map(open));
    await waitFor(() => byMessage.heard.length === 1, { what: 'the welcome' });

    await record(management.infrastructure, [alertRecord({ title: 'Look here' })]);
    for (const listener of [byQuery, byMessage]) {
      const event = await waitFor(() => listener.heard.find(({ type }) => type === 'new_alert'), { what: 'the alert' });
      expect(event.payload).toMatchObject({ title: 'Look here', status: 'new', id: expect.any(Number) });
    }
    expect(silent.heard).toEqual([]);
    for (const { socket } of [byQuery, byMessage, silent]) socket.terminate();
  });

  test('tells requests to clients that ask for them, and to no others', async () => {
    const asking = listenTo(management.origin, `/ws?token=${management.adminToken}`);
    const other = listenTo(management.origin, `/ws?token=${management.adminToken}`);
    await Promise.all([open(asking), open(other)]);
    asking.socket.send(JSON.stringify({ type: 'subscribe', types: ['request'] }));
    const heard = () => asking.heard.filter(({ type }) => type === 'request');
    let sent = 0;
    // The first look only learns what was there.
    await waitFor(
      async () => {
        sent += 1;
        await record(management.infrastructure, [requestLogRecord({ request_id: `tail ${sent}`, path: '/told' })]);
        return heard().length > 0 || undefined;
      },
      { what: 'a request' },
    );
    const [event] = heard();
    expect(event?.payload).toMatchObject({
      requests: expect.arrayContaining([
        expect.objectContaining({ path: '/told', outcome: 'passed', session_id: null }),
      ]),
      omitted: 0,
    });
    expect(other.heard.filter(({ type }) => type === 'request')).toEqual([]);
    for (const { socket } of [asking, other]) socket.terminate();
  });

  test('lets no client in without a good token', async () => {
    expect(await end(listenTo(management.origin, '/ws?token=nonsense'))).toBe(401);
    for (const message of [
      { type: 'auth', token: 'nonsense' },
      { type: 'hello' },
      'text',
      { type: 'auth', token: 7 },
    ]) {
      const listener = listenTo(management.origin, '/ws');
      await open(listener);
      listener.socket.send(JSON.stringify(message));
      expect(await end(listener)).toBe(1008);
    }
  });

  test('lets in pages of allowed origins only, and clients that are no browser', async () => {
    const path = `/ws?token=${management.adminToken}`;
    expect(await end(listenTo(management.origin, path, { origin: 'https://evil.example' }))).toBe(403);
    const allowed = listenTo(management.origin, path, { origin: 'http://localhost:5173' });
    await open(allowed);
    allowed.socket.terminate();
  });

  test('is the only path, and takes no long messages', async () => {
    expect(await end(listenTo(management.origin, `/other?token=${management.adminToken}`))).toBe(404);
    const listener = listenTo(management.origin, `/ws?token=${management.adminToken}`);
    await open(listener);
    listener.socket.send('x'.repeat(5_000));
    expect(await end(listener)).toBe(1009);
  });
});

describe('/ws of two replicas', () => {
  let management: TestManagement;
  let replica: string;
  beforeAll(async () => {
    management = await startManagement('server');
    replica = await management.addReplica();
  });
  afterAll(() => management.stop());

  test('what one publishes or does reaches the clients of the other', async () => {
    const here = listenTo(management.origin, `/ws?token=${management.adminToken}`);
    const there = listenTo(replica, `/ws?token=${management.adminToken}`);
    await Promise.all([here, there].map(open));
    const { bus } = management.infrastructure.coordination;
    await bus.publish(liveEventsTopic, { type: 'tool_discovered', payload: { name: 'hammer' } });
    await record(management.infrastructure, [alertRecord({ title: 'Both see it' })]);
    const [first, second] = await Promise.all(
      [here, there].map((listener) =>
        waitFor(() => listener.heard.find(({ type }) => type === 'new_alert'), { what: 'the alert' }),
      ),
    );
    expect(second).toEqual(first);
    for (const { heard } of [here, there]) {
      expect(heard).toContainEqual({ type: 'tool_discovered', payload: { name: 'hammer' } });
      expect(heard.filter(({ type }) => type === 'new_alert')).toHaveLength(1);
    }

    const elsewhere = createApiClient(replica, management.adminToken);
    const id = (first?.payload as { id: number } | undefined)?.id ?? 0;
    await elsewhere.data(setAlertStatus, { params: { id }, body: { status: 'resolved' } });
    const moved = await waitFor(() => here.heard.find(({ type }) => type === 'alert'), { what: 'the move' });
    expect(moved.payload).toMatchObject({ id, status: 'resolved' });
    for (const { socket } of [here, there]) socket.terminate();
  });

  test('a session that one ends is ended at the other', async () => {
    const token = await management.signIn('viewer');
    const there = listenTo(replica, `/ws?token=${token}`);
    await open(there);
    await management.anonymous.as(token).data(logout);
    expect(await end(there)).toBe(1008);
  });
});

describe('the limits of /ws', () => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement('embedded');
  });
  afterAll(() => management.stop());

  /** A channel of its own with small limits. Its checks are as far ahead of the time as `work` says. */
  const withLimits = async (limits: object, work: (origin: string, clock: { aheadMs: number }) => Promise<void>) => {
    const clock = { aheadMs: 0 };
    const { database, coordination, config, log } = management.infrastructure;
    const identity = createIdentity(database, createTokens(config.JWT_SECRET.reveal()));
    await using channel: LiveChannel = createLiveChannel({
      identity,
      browserSessions: { identifyUpgrade: () => Promise.resolve(undefined) },
      clientAddress: () => '127.0.0.1',
      publicOrigin: undefined,
      bus: coordination.bus,
      allowsOrigin: () => false,
      log,
      loadStats: () => loadStatsUpdate(database, new Date()),
      loadLatest: () => Promise.resolve([]),
      limits,
      nowMs: () => Date.now() + clock.aheadMs,
    });
    await channel.start();
    const server: Server = createServer().on('upgrade', channel.upgrade).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, clock);
    } finally {
      server.close();
    }
  };
  const signedInPath = () => `/ws?token=${management.adminToken}`;

  test('a client that does not sign in is sent away', () =>
    withLimits({ signInMs: 30 }, async (origin) => {
      expect(await end(listenTo(origin, '/ws'))).toBe(1008);
    }));

  test('a connection too many is refused', () =>
    withLimits({ maxConnections: 1 }, async (origin) => {
      const first = listenTo(origin, signedInPath());
      await open(first);
      expect(await end(listenTo(origin, signedInPath()))).toBe(503);
      first.socket.close();
      await end(first);
      const next = listenTo(origin, signedInPath());
      await waitFor(() => next.ended ?? next.socket.readyState === WebSocket.OPEN, { what: 'an answer' });
      next.socket.terminate();
    }));

  test('a client whose token has expired is sent away, another one stays', () =>
    // Seldom enough that a busy machine cannot make the client that stays miss its pong.
    withLimits({ pingEveryMs: 1_000 }, async (origin, clock) => {
      const { sub, ...claims } = jwt.decode(management.adminToken) as jwt.JwtPayload;
      const soon = { ...claims, sub, exp: Math.floor(Date.now() / 1_000) + 60 };
      const token = jwt.sign(soon, management.infrastructure.config.JWT_SECRET.reveal());
      const [short, long] = [listenTo(origin, `/ws?token=${token}`), listenTo(origin, signedInPath())];
      await Promise.all([short, long].map(open));
      clock.aheadMs = 61_000;
      expect(await end(short)).toBe(1008);
      expect(long.ended).toBeUndefined();
      long.socket.terminate();
    }));

  test('no client is cut for its silence when the clock is set forward', () =>
    withLimits({ pingEveryMs: 20, idleMs: 60_000 }, async (origin, clock) => {
      const client = listenTo(origin, signedInPath());
      await open(client);
      let pings = 0;
      client.socket.on('ping', () => (pings += 1));
      clock.aheadMs = 3 * 3_600_000;
      await waitFor(() => pings > 3 || client.ended !== undefined, { what: 'further pings' });
      expect(client.ended).toBeUndefined();
      client.socket.terminate();
    }));

  test('a client whose session ended without a message is sent away', () =>
    withLimits({ pingEveryMs: 1_000 }, async (origin) => {
      const token = await management.signIn('viewer');
      const [gone, stays] = [listenTo(origin, `/ws?token=${token}`), listenTo(origin, signedInPath())];
      await Promise.all([gone, stays].map(open));
      const { sid } = jwt.decode(token) as jwt.JwtPayload;
      const { kysely } = management.infrastructure.database;
      await kysely.deleteFrom('login_sessions').where('id', '=', String(sid)).execute();
      expect(await end(gone)).toBe(1008);
      expect(stays.ended).toBeUndefined();
      stays.socket.terminate();
    }));

  test('the metrics are sent while a client listens', () =>
    withLimits({ statsEveryMs: 50 }, async (origin) => {
      const listener = listenTo(origin, signedInPath());
      const event = await waitFor(() => listener.heard.find(({ type }) => type === 'stats_update'), {
        what: 'figures',
      });
      expect(compileJsonSchema(liveEvents.stats_update.payload, '')(event.payload)).toEqual([]);
      listener.socket.terminate();
    }));

  test('a client hears only the types it has subscribed to', () =>
    withLimits({}, async (origin) => {
      const [some, all] = [listenTo(origin, signedInPath()), listenTo(origin, signedInPath())];
      await Promise.all([some, all].map(open));
      some.socket.send(JSON.stringify({ type: 'subscribe', types: ['gossip'] }));
      some.socket.send(JSON.stringify({ type: 'subscribe', types: ['tool_discovered'] }));
      await waitFor(() => some.heard.length === 2, { what: 'the answers' });
      expect(some.heard).toMatchObject([
        { payload: { event: 'session.message_refused' } },
        { payload: { event: 'session.subscribed', details: { types: ['tool_discovered'] } } },
      ]);
      const { bus } = management.infrastructure.coordination;
      await bus.publish(liveEventsTopic, { type: 'proxy_status', payload: {} });
      await bus.publish(liveEventsTopic, { type: 'tool_discovered', payload: {} });
      await waitFor(() => some.heard.length === 3 && all.heard.length === 2, { what: 'the events' });
      expect(some.heard.at(-1)?.type).toBe('tool_discovered');
      for (const { socket } of [some, all]) socket.terminate();
    }));

  test('a client that talks too much is sent away', () =>
    withLimits({ messagesPerSecond: 3 }, async (origin) => {
      const listener = listenTo(origin, signedInPath());
      await open(listener);
      for (let count = 0; count < 20; count += 1) listener.socket.send('{}');
      expect(await end(listener)).toBe(1008);
    }));

  test('a thousand clients hear every event, and go', () =>
    withLimits({ maxConnections: 1_000 }, async (origin) => {
      const listeners: Listener[] = [];
      // In waves: as many at once would not be let into the queue of the listening socket.
      while (listeners.length < 1_000) {
        const wave = Array.from({ length: 50 }, () => listenTo(origin, signedInPath()));
        await waitFor(() => wave.every(({ socket }) => socket.readyState === WebSocket.OPEN), {
          what: 'fifty connections',
        });
        listeners.push(...wave);
      }
      const { bus } = management.infrastructure.coordination;
      for (let count = 0; count < 5; count += 1) {
        await bus.publish(liveEventsTopic, { type: 'system_event', payload: { message: `number ${count}` } });
      }
      await waitFor(() => listeners.every(({ heard }) => heard.length === 5), { what: 'all events' });
      expect(listeners.filter(({ ended }) => ended !== undefined)).toEqual([]);
      for (const { socket } of listeners) socket.terminate();
    }));

  test('a client that answers no ping is cut', () =>
    withLimits({ pingEveryMs: 20 }, async (origin) => {
      const listener = listenTo(origin, signedInPath());
      await open(listener);
      listener.socket.pong = () => undefined;
      listener.socket.pause();
      listener.socket.resume();
      expect(await end(listener)).toBe(1006);
    }));

  test('a client of which nothing is heard for too long is cut', () =>
    withLimits({ pingEveryMs: 100, idleMs: 50 }, async (origin) => {
      const listener = listenTo(origin, signedInPath());
      await open(listener);
      expect(await end(listener)).toBe(1006);
    }));

  /** A client that has signed in and reads nothing from then on. */
  const connectDeaf = async (origin: string): Promise<Socket> => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `GET ${signedInPath()} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    await once(socket, 'readable');
    return socket;
  };

  test('a client that takes nothing for too long is cut, however little waits for it, and no other client notices', () =>
    withLimits({ writeTimeoutMs: 3_000, maxConnections: 2, maxBufferedBytes: Infinity }, async (origin) => {
      const deaf = await connectDeaf(origin);
      const watcher = listenTo(origin, signedInPath());
      await open(watcher);
      const { bus } = management.infrastructure.coordination;
      // More than the kernel keeps for a connection.
      for (let count = 0; count < 60; count += 1) {
        await bus.publish(liveEventsTopic, { type: 'system_event', payload: { message: 'x'.repeat(200_000) } });
      }
      await waitFor(() => watcher.heard.length === 60, { what: 'all events' });
      // Its place is free as soon as it is cut.
      const next = await waitFor(
        async () => {
          await bus.publish(liveEventsTopic, { type: 'tool_discovered', payload: {} });
          const listener = listenTo(origin, signedInPath());
          await waitFor(() => listener.ended ?? listener.socket.readyState === WebSocket.OPEN, { what: 'an answer' });
          return listener.ended === undefined ? listener : undefined;
        },
        { what: 'the place of the client that was cut' },
      );
      next.socket.terminate();
      deaf.resume();
      await once(deaf, 'close');
      expect(deaf.bytesRead).toBeLessThan(60 * 200_000);
      expect(watcher.ended).toBeUndefined();
      watcher.socket.terminate();
    }));

  test('a client that reads nothing is cut before it costs much memory', () =>
    withLimits({}, async (origin) => {
      const socket = await connectDeaf(origin);
      const watcher = listenTo(origin, signedInPath());
      await open(watcher);

      const { bus } = management.infrastructure.coordination;
      const event = { type: 'system_event', payload: { message: 'x'.repeat(200_000), severity: 'Low' } };
      // Kernels buffer some megabytes; what exceeds them and the bound is never kept for the silent client.
      for (let count = 0; count < 100; count += 1) {
        await bus.publish(liveEventsTopic, event);
        await waitFor(() => watcher.heard.length > count, { what: 'the event to pass' });
      }
      socket.resume();
      await once(socket, 'close');
      expect(socket.bytesRead).toBeLessThan(100 * 200_000);
      expect(watcher.heard).toHaveLength(100);
      watcher.socket.terminate();
    }));
});
