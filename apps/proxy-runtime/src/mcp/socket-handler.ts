import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { STATUS_CODES } from 'node:http';
import type { Denial, Reply } from '@portcullis/core/pipeline/stage';
import { WebSocketServer, type WebSocket } from 'ws';
import { FairShare } from '../concurrency/fair-share.ts';
import type { Exchange } from '../exchange.ts';
import { renderDenial } from '../traffic/render-denial.ts';
import { readTargetFault } from '../traffic/target-fault.ts';
import type { TargetPool } from '../traffic/target-pool.ts';
import { renderTargetPath } from '../traffic/target-request.ts';
import { MessageRoom } from './message-room.ts';
import { SocketRelay, type SocketRelayParts } from './socket-relay.ts';
import { openTargetSocket, UpgradeRefused } from './socket-target.ts';
import type { StandingStreams } from './standing-streams.ts';

/** What sockets may take of a process. */
export interface SocketLimits {
  /** Of all proxy ports together. */
  readonly maxSockets: number;
  /** Requests of one socket that wait for an answer. */
  readonly maxPending: number;
}

export interface SocketHandlerParts extends Pick<
  SocketRelayParts,
  'runRequestStages' | 'openChain' | 'settle' | 'recordFindings'
> {
  readonly maxMessageBytes: number;
  readonly maxAnswerBytes: number;
  readonly clientStallMs: number;
  readonly limits: SocketLimits;
  /** Memory for large bodies, which messages share. */
  readonly bodyRoom: FairShare;
  readonly linkFor: (exchange: Exchange) => TargetPool;
  readonly onTargetError: (exchange: Exchange, error: Error) => void;
}

/** One upgrade on its way to become a relay. */
export interface Upgrade {
  readonly admission: Exchange;
  readonly openExchange: SocketRelayParts['openExchange'];
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly standing: StandingStreams;
}

const handshakeTimeoutMs = 30_000;
const stageName = 'forward';

/**
 * Answers upgrades to a WebSocket: the upgrade goes through the request stages like any request, the
 * target is asked for a socket, and only then has the client one.
 */
export function createSocketHandler(parts: SocketHandlerParts): (upgrade: Upgrade) => void {
  const chosen = new WeakMap<IncomingMessage, string>();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: parts.maxMessageBytes,
    handleProtocols: (_offered, request) => chosen.get(request) ?? false,
  });
  const sockets = new FairShare(parts.limits.maxSockets);

  const refuse = ({ admission, socket }: Upgrade, denial: Denial, stage: string): void => {
    admission.ending = { reason: denial.reason, stage };
    answer(admission, socket, renderDenial(admission, denial));
  };

  const answer = (admission: Exchange, socket: Duplex, reply: Reply): void => {
    admission.statusCode = reply.status;
    admission.responseBytes = reply.body.length;
    void parts.settle(admission).then(() => writeAnswer(socket, admission.id, reply));
  };

  const connect = (upgrade: Upgrade): void => {
    const { admission, socket } = upgrade;
    const { basePath, timeouts } = admission.proxy.target;
    const path = renderTargetPath(basePath, admission.path, admission.query);
    if (path === undefined) return refuse(upgrade, { reason: 'bad_request' }, stageName);
    if (!sockets.take(keyOf(admission), 1)) return refuse(upgrade, { reason: 'service_unavailable' }, stageName);
    const link = parts.linkFor(admission);
    const refused = link.begin();
    if (refused !== undefined) {
      sockets.give(keyOf(admission), 1);
      return refuse(upgrade, { reason: refused }, stageName);
    }
    const gone = new AbortController();
    const leave = () => gone.abort();
    socket.once('close', leave);
    openTargetSocket(admission, {
      path,
      connect: link.connect,
      handshakeTimeoutMs: timeouts.headersMs ?? handshakeTimeoutMs,
      maxMessageBytes: parts.maxAnswerBytes,
      signal: gone.signal,
    })
      .then(
        (target) => {
          socket.off('close', leave);
          link.answered();
          accept(upgrade, target, link);
        },
        (error: Error) => {
          sockets.give(keyOf(admission), 1);
          link.end();
          failed(upgrade, link, error, gone.signal.aborted);
        },
      )
      .catch(() => socket.destroy());
  };

  const failed = (upgrade: Upgrade, link: TargetPool, error: Error, isGone: boolean): void => {
    if (error instanceof UpgradeRefused) {
      link.answered();
      const headers = { 'content-type': error.contentType };
      return answer(upgrade.admission, upgrade.socket, { status: error.status, headers, body: error.body });
    }
    if (isGone) {
      link.gaveUp();
      return refuse(upgrade, { reason: 'client_closed' }, stageName);
    }
    const { reason, problem, blamesTarget } = readTargetFault(error, false);
    if (blamesTarget) link.failed(problem);
    else link.gaveUp();
    upgrade.admission.targetProblem = problem;
    parts.onTargetError(upgrade.admission, error);
    refuse(upgrade, { reason }, stageName);
  };

  const accept = (upgrade: Upgrade, target: WebSocket, link: TargetPool): void => {
    const { admission, openExchange, request, socket, head, standing } = upgrade;
    if (target.protocol !== '') chosen.set(request, target.protocol);
    admission.statusCode = 101;
    admission.forwarded = true;
    server.handleUpgrade(request, socket, head, (client) => {
      const room = new MessageRoom(parts.bodyRoom, keyOf(admission));
      room.watch(socket, client, () => relay.refuseLarge());
      const relay: SocketRelay = new SocketRelay({
        ...parts,
        client,
        target,
        admission,
        openExchange,
        stallMs: parts.clientStallMs,
        maxPending: parts.limits.maxPending,
        room,
        onEnd: () => {
          sockets.give(keyOf(admission), 1);
          link.end();
          left();
        },
      });
      const left = standing.add({
        exchange: admission,
        leave: () => relay.leave(),
        expel: (reason) => relay.expel(reason),
        announceTools: () => relay.announceTools(),
        breakOff: (denial) => relay.breakOff(denial),
        cut: () => relay.cut(),
      });
      relay.start();
    });
  };

  return (upgrade) => {
    const { admission, socket } = upgrade;
    socket.on('error', () => undefined);
    const outcome = parts.runRequestStages(admission);
    const proceed = ({ verdict, stage }: Awaited<typeof outcome>): void => {
      if (verdict.kind === 'deny') refuse(upgrade, verdict.denial, stage ?? '');
      else if (verdict.kind === 'reply') answer(admission, socket, verdict.reply);
      else if (!isHandshake(upgrade.request))
        refuse(upgrade, { reason: 'bad_request', message: notHandshake }, stageName);
      else if (socket.destroyed) refuse(upgrade, { reason: 'client_closed' }, stageName);
      else connect(upgrade);
    };
    if (outcome instanceof Promise) void outcome.then(proceed);
    else proceed(outcome);
  };
}

const keyOf = ({ key }: Exchange): number => key?.id ?? 0;

const notHandshake = 'The upgrade is no handshake of WebSocket version 13';
const handshakeKey = /^[A-Za-z\d+/]{22}==$/;
const isHandshake = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  handshakeKey.test(headers['sec-websocket-key'] ?? '') &&
  headers['sec-websocket-version'] === '13';

/** Whoever is refused gets an answer of HTTP, with which the connection ends. */
function writeAnswer(socket: Duplex, requestId: string, { status, statusText, headers, body }: Reply): void {
  if (socket.destroyed) return;
  const lines = [
    `HTTP/1.1 ${status} ${statusText ?? STATUS_CODES[status] ?? 'Refused'}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
}
