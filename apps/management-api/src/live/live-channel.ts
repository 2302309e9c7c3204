import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import type { StatsUpdate } from '@portcullis/contracts/live-events';
import { errorCatalogue, type ErrorReason } from '@portcullis/contracts/errors';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { OriginRule } from '@portcullis/platform/http/cors';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { problemText } from '@portcullis/platform/lifecycle/problem';
import type { Mount } from '@portcullis/platform/lifecycle/service';
import type { Logger } from '@portcullis/platform/log/logger';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Identity, Login } from '@portcullis/platform/identity/identity';
import { sessionsEndedTopic, type SessionsEnded } from '@portcullis/platform/identity/sessions';
import { closeCodes, parseMessage } from './live-client.ts';
import { LiveClients } from './live-clients.ts';

interface LiveParts {
  readonly identity: Identity;
  readonly bus: Bus;
  readonly allowsOrigin: OriginRule;
  readonly log: Logger;
  /** The figures for `stats_update`, asked for only while somebody listens. */
  readonly loadStats: () => Promise<StatsUpdate>;
  readonly limits?: Partial<typeof defaultLimits>;
  readonly nowMs?: () => number;
}

const defaultLimits = {
  /** Connections in all, those included that have not signed in yet. */
  maxConnections: 1_000,
  /** How long a client has to sign in with its first message. */
  signInMs: 5_000,
  pingEveryMs: 30_000,
  statsEveryMs: 30_000,
  maxMessageBytes: 4_096,
  maxBufferedBytes: 1_048_576,
  writeTimeoutMs: 10_000,
  idleMs: 300_000,
  messagesPerSecond: 100,
};

/** The WebSocket at `/ws`: hands the events of every process to every signed-in client. */
export interface LiveChannel extends AsyncDisposable {
  readonly upgrade: NonNullable<Mount['upgrade']>;
  start(): Promise<void>;
}

export function createLiveChannel({
  identity,
  bus,
  allowsOrigin,
  log,
  loadStats,
  limits: given,
  nowMs = Date.now,
}: LiveParts): LiveChannel {
  const limits = { ...defaultLimits, ...given };
  const server = new WebSocketServer({ noServer: true, maxPayload: limits.maxMessageBytes, perMessageDeflate: false });
  const clients = new LiveClients(limits);
  const timers: NodeJS.Timeout[] = [];
  const subscriptions: (() => Promise<void>)[] = [];

  const admit = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const [path, query] = (request.url ?? '').split('?', 2);
    const { origin } = request.headers;
    if (path !== '/ws') return refuse(socket, 'not_found');
    if (origin !== undefined && !allowsOrigin(origin)) return refuse(socket, 'forbidden');

    const token = new URLSearchParams(query).get('token');
    const login = token === null ? undefined : await signInOrThrow(token);
    if (server.clients.size >= limits.maxConnections) return refuse(socket, 'service_unavailable');
    server.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => client.terminate());
      if (login === undefined) awaitSignIn(client);
      else clients.add(client, login);
    });
  };

  const signInOrThrow = async (token: string): Promise<Login> => {
    const login = await identity.identifyOrThrow(token);
    if (login.caller.mustChangePassword === true) throw new GatewayError('password_change_required');
    return login;
  };

  /** Finds ended sessions of which no message told. A database that is away ends nobody's connection. */
  const closeEndedSessions = async (): Promise<void> => {
    const asked = clients.sessionIds;
    clients.keepOnly(await identity.findLasting(asked), asked);
  };

  const broadcast = (event: LiveEvent): void => clients.broadcast(event.type, JSON.stringify(event));

  const sendStats = async (): Promise<void> => {
    if (clients.size > 0) broadcast({ type: 'stats_update', payload: await loadStats() });
  };

  const awaitSignIn = (client: WebSocket): void => {
    const timer = setTimeout(() => client.close(closeCodes.policy, 'No token was sent'), limits.signInMs);
    client.once('close', () => clearTimeout(timer));
    client.once('message', (data) => {
      clearTimeout(timer);
      const message = parseMessage(data);
      const token = message?.['type'] === 'auth' ? message['token'] : undefined;
      if (typeof token !== 'string') {
        client.close(closeCodes.policy, 'The first message must be {"type":"auth","token":"..."}');
        return;
      }
      signInOrThrow(token).then(
        (login) => clients.add(client, login)?.tell({ event: 'session.signed_in', message: 'Signed in' }),
        (error: unknown) => client.close(closeCodes.policy, asRefusal(error, log).entry.text),
      );
    });
  };

  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      admit(request, socket, head).catch((error: unknown) => refuse(socket, asRefusal(error, log).reason));
    },

    async start() {
      subscriptions.push(
        await bus.subscribe(liveEventsTopic, (event) => broadcast(event as LiveEvent)),
        await bus.subscribe(sessionsEndedTopic, (ended) => clients.closeEnded(ended as SessionsEnded)),
      );
      timers.push(
        setInterval(() => {
          clients.checkAll(nowMs());
          closeEndedSessions().catch((error: unknown) => {
            log.warn('The sessions of /ws could not be checked', { problem: problemText(error) });
          });
        }, limits.pingEveryMs),
        setInterval(() => {
          sendStats().catch((error: unknown) => {
            log.warn('The figures for /ws could not be read', { problem: problemText(error) });
          });
        }, limits.statsEveryMs),
      );
    },

    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer);
      for (const client of server.clients) sayGoodbye(client);
      server.close();
      for (const unsubscribe of subscriptions) await unsubscribe();
    },
  };
}

/** Nobody waits for clients that do not answer a goodbye. */
function sayGoodbye(client: WebSocket): void {
  client.close(closeCodes.goingAway, 'The gateway is stopping');
  setTimeout(() => client.terminate(), 1_000).unref();
}

function asRefusal(error: unknown, log: Logger): GatewayError {
  if (error instanceof GatewayError) return error;
  log.warn('A login on /ws could not be checked', { problem: problemText(error) });
  return new GatewayError('service_unavailable');
}

/** Answers an upgrade with plain HTTP and closes. */
function refuse(socket: Duplex, reason: ErrorReason): void {
  const { status, text, code } = errorCatalogue[reason];
  const body = JSON.stringify({ success: false, error: text, error_code: code });
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
