import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import type { StatsUpdate } from '@portcullis/contracts/live-events';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { OriginRule } from '@portcullis/platform/routes/cors';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Mount } from '@portcullis/platform/service/service';
import type { Logger } from '@portcullis/platform/log/logger';
import { WebSocketServer, type WebSocket } from 'ws';
import type { BrowserSessions } from '@portcullis/platform/identity/browser-sessions';
import type { ClientAddress } from '@portcullis/platform/http/client-address';
import type { Identity } from '@portcullis/platform/identity/identity';
import { sessionsEndedTopic, type SessionsEnded } from '@portcullis/platform/identity/sessions';
import { createLiveAdmission } from './live-admission.ts';
import { closeCodes } from './live-client.ts';
import { LiveClients } from './live-clients.ts';
import { startRequestTail, type LoadLatest } from './request-tail.ts';

interface LiveParts {
  readonly identity: Identity;
  readonly browserSessions: Pick<BrowserSessions, 'identifyUpgrade'>;
  readonly clientAddress: ClientAddress;
  readonly publicOrigin: string | undefined;
  readonly bus: Bus;
  readonly allowsOrigin: OriginRule;
  readonly log: Logger;
  /** The figures for `stats_update`, asked for only while a client listens. */
  readonly loadStats: () => Promise<StatsUpdate>;
  /** For `request`, asked for only while a client wants it. */
  readonly loadLatest: LoadLatest;
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
  tailEveryMs: 2_000,
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
  bus,
  allowsOrigin,
  log,
  loadStats,
  loadLatest,
  limits: given,
  nowMs = Date.now,
  ...admission
}: LiveParts): LiveChannel {
  const limits = { ...defaultLimits, ...given };
  const server = new WebSocketServer({ noServer: true, maxPayload: limits.maxMessageBytes, perMessageDeflate: false });
  const clients = new LiveClients(limits);
  const timers: NodeJS.Timeout[] = [];
  const subscriptions: (() => Promise<void>)[] = [];
  const repeated = new AsyncDisposableStack();

  /** Finds ended sessions of which no message told. A database that is away ends no connection. */
  const closeEndedSessions = async (): Promise<void> => {
    const asked = clients.sessionIds;
    clients.keepOnly(await admission.identity.findLasting(asked), asked);
  };

  const broadcast = (event: LiveEvent): void => clients.broadcast(event);

  const sendStats = async (): Promise<void> => {
    if (clients.size > 0) broadcast({ type: 'stats_update', payload: await loadStats() });
  };

  return {
    upgrade: createLiveAdmission({ ...admission, server, clients, allowsOrigin, log, limits }),

    async start() {
      subscriptions.push(
        await bus.subscribe(liveEventsTopic, (event) => broadcast(event as LiveEvent)),
        await bus.subscribe(sessionsEndedTopic, (ended) => clients.closeEnded(ended as SessionsEnded)),
      );
      repeated.use(startRequestTail({ clients, load: loadLatest, intervalMs: limits.tailEveryMs, log }));
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
      await repeated[Symbol.asyncDispose]();
      for (const client of server.clients) sayGoodbye(client);
      server.close();
      for (const unsubscribe of subscriptions) await unsubscribe();
    },
  };
}

/** The stop does not wait for clients that do not answer a goodbye. */
function sayGoodbye(client: WebSocket): void {
  client.close(closeCodes.goingAway, 'The gateway is stopping');
  setTimeout(() => client.terminate(), 1_000).unref();
}
