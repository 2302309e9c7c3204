import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { AttackedProxy } from '../security/laboratory.ts';
import { markerOf, markersIn, tenantNames, type Crossings, type TenantName } from './markers.ts';
import { readAnswers } from './read-answers.ts';

export interface ClientCounts {
  requests: number;
  answered: number;
  /** Connections that the client left before it had all answers. */
  aborted: number;
  pipelined: number;
}

export interface TenantTraffic {
  readonly proxy: Pick<AttackedProxy, 'port'>;
  readonly keys: Readonly<Record<TenantName, string>>;
  readonly crossings: Crossings;
  readonly counts: ClientCounts;
  /** The number of the next request; undefined when all have been sent. */
  readonly next: () => number | undefined;
}

/** Requests on one connection at most; all are written before the first answer. */
const mostAtOnce = 6;
/** One connection in so many is left early, one in so many of them by a reset. */
const abortEach = 7;
const resetEach = 2;
const patienceMs = 60_000;

interface Asked {
  readonly marker: string;
  readonly source: string;
}

function ask(number: number, keys: TenantTraffic['keys']): Asked {
  const tenant = tenantNames[number % tenantNames.length] as TenantName;
  const marker = markerOf(tenant, number);
  // The same for both.
  const turn = Math.floor(number / tenantNames.length);
  // The policy hides the first, and gives it back; the second is an alert every fortieth time.
  const content = `I am ${marker} and my word is secret-${marker} so ${turn % 20 === 0 ? `please flag-${marker}` : 'listen'} to ${marker}`;
  const body = JSON.stringify({ model: 'm', stream: turn % 3 !== 0, messages: [{ role: 'user', content }] });
  const head = [
    `POST /v1/chat/completions?note=${marker} HTTP/1.1`,
    'host: gateway',
    `authorization: Bearer ${keys[tenant]}`,
    `user-agent: ${marker}`,
    `x-request-id: ${marker}`,
    `x-marker: ${marker}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  return { marker, source: `${head.join('\r\n')}\r\n\r\n${body}` };
}

/** Opens one connection after the other until all requests are sent. */
export async function sendAll(traffic: TenantTraffic): Promise<void> {
  for (let connections = 0; ; connections += 1) {
    const asked: Asked[] = [];
    while (asked.length < 1 + (connections % mostAtOnce)) {
      const number = traffic.next();
      if (number === undefined) break;
      asked.push(ask(number, traffic.keys));
    }
    if (asked.length === 0) return;
    await sendOn(traffic, asked, connections);
  }
}

async function sendOn(traffic: TenantTraffic, asked: readonly Asked[], connections: number): Promise<void> {
  const { counts, proxy } = traffic;
  counts.requests += asked.length;
  if (asked.length > 1) counts.pipelined += asked.length;
  const socket = connect(proxy.port, '127.0.0.1').setEncoding('latin1').setNoDelay(true);
  let came = '';
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  socket.on('data', (piece: string) => {
    came += piece;
    if (readAnswers(came).answers.length === asked.length) end();
  });
  socket.on('close', () => end()).on('error', () => end());
  const sources = asked.map(({ source }) => source).join('');
  const isLeft = connections % abortEach === 0;
  if (isLeft) await leaveEarly(socket, sources, connections, counts);
  else {
    socket.write(sources);
    const patience = setTimeout(end, patienceMs);
    await over;
    clearTimeout(patience);
    socket.destroy();
  }
  compare(traffic, asked, came);
}

/** Sends some of it, waits a moment for what comes, and goes. */
async function leaveEarly(socket: Socket, sources: string, connections: number, counts: ClientCounts): Promise<void> {
  counts.aborted += 1;
  const turn = Math.floor(connections / abortEach);
  socket.write(turn % 3 === 0 ? sources.slice(0, Math.floor(sources.length * 0.6)) : sources);
  await pause(turn % 12);
  if (turn % resetEach === 0) socket.resetAndDestroy();
  else socket.destroy();
}

/** Each answer is to the request at its place, and says nothing of any other. */
function compare({ crossings, counts }: TenantTraffic, asked: readonly Asked[], came: string): void {
  const { answers, rest } = readAnswers(came);
  for (const [index, { marker }] of asked.entries()) {
    const answer = answers[index];
    const text = answer?.text ?? (index === answers.length ? rest : '');
    crossings.expectOnly(marker, text, 'the answer');
    if (answer?.status !== 200) continue;
    counts.answered += 1;
    if (!markersIn(text).has(marker)) crossings.add(`the answer to ${marker} says nothing of it`);
  }
}
