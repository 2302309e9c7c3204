import { createServer, request as openRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { duplexPair } from 'node:stream';
import { maxTrialTextLength, type Trial } from '@portcullis/contracts/routes/proxy-trials';
import type { TrialQuestion } from '@portcullis/platform/trials/trial-bus';
import type { ProxyEntry } from '../snapshot/snapshot.ts';
import { TrialRecorder } from './trial-recorder.ts';

/** One request that is tried. */
export interface TrialRun {
  readonly question: TrialQuestion;
  readonly recorder: TrialRecorder;
}

export interface TrialRunParts {
  readonly proxy: Pick<ProxyEntry, 'id' | 'name' | 'type'>;
  readonly listener: RequestListener;
  /** The request as the listener gets it is this trial's. */
  readonly begin: (request: IncomingMessage, run: TrialRun) => void;
  readonly timeoutMs: number;
}

/** Sends the request over a connection within this process, as a client would send it to the port. */
export async function runTrial(question: TrialQuestion, parts: TrialRunParts): Promise<Trial> {
  const { id, name, type } = parts.proxy;
  const startedAtMs = performance.now();
  const recorder = new TrialRecorder();
  const answer = await exchange({ question, recorder }, parts);
  return {
    trial: true,
    request_id: question.id,
    proxy: { id, name, type },
    outcome: outcomeOf(recorder, answer),
    ...recorder.render(),
    answer: recorder.hasPassed && question.request.send !== true ? null : (answer ?? null),
    duration_ms: Math.round(performance.now() - startedAtMs),
  };
}

function outcomeOf({ exchange, hasPassed }: TrialRecorder, answer: Trial['answer'] | undefined): Trial['outcome'] {
  if (answer === undefined) return 'timed_out';
  if (exchange === undefined) return 'answered';
  if (exchange.ending !== undefined || exchange.refusal !== undefined) return 'refused';
  if (exchange.forwarded) return 'sent';
  return hasPassed ? 'passed' : 'answered';
}

/** Undefined where the answer had not begun in time. */
async function exchange(
  run: TrialRun,
  { listener, begin, timeoutMs }: TrialRunParts,
): Promise<Trial['answer'] | undefined> {
  const { id, request } = run.question;
  const [clientSide, serverSide] = duplexPair();
  const server = createServer((arrived, response) => {
    begin(arrived, run);
    listener(arrived, response);
  });
  server.emit('connection', serverSide);
  const body = renderBody(request.body);
  const sent = openRequest({
    method: request.method ?? 'POST',
    path: request.path,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...Object.fromEntries(Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
      host: 'trial',
      'x-request-id': id,
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    },
    createConnection: () => clientSide,
  });
  const timer = setTimeout(() => sent.destroy(), timeoutMs);
  try {
    const arrived = Promise.withResolvers<IncomingMessage>();
    sent.once('response', arrived.resolve).on('error', arrived.reject);
    sent.end(body);
    return await readAnswer(await arrived.promise);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    sent.destroy();
    serverSide.destroy();
    server.close();
  }
}

function renderBody(body: unknown): string | undefined {
  if (body === undefined || typeof body === 'string') return body;
  return JSON.stringify(body);
}

/** As much of it as is told; a stream that goes on is broken off. */
async function readAnswer(response: IncomingMessage): Promise<Trial['answer']> {
  const chunks: Buffer[] = [];
  let length = 0;
  let isWhole = true;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= maxTrialTextLength) continue;
      isWhole = false;
      break;
    }
  } catch {
    isWhole = false;
  }
  const headers = Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).subarray(0, maxTrialTextLength).toString('utf8'),
    truncated: !isWhole,
  };
}
