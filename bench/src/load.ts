import { connect } from 'node:net';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { connect as connectTls } from 'node:tls';
import { createChatBodies, writeSerial } from './chat-bodies.ts';
import { createStampReader } from './chat-chunk.ts';
import { monotonicMicros } from './clock.ts';
import type { LoadAnswer, LoadOrder, LoadResult, Percentiles } from './load-order.ts';
import { ResponseReader } from './response-reader.ts';

// The load generator, a process of its own: takes one LoadOrder after the other from its parent,
// answers each with a LoadResult or an error, and goes with its parent.

const distinctBodies = 1_024;
const bodyBytes = 2_048;
const stalledAfterMs = 10_000;

/** Counts the requests of all orders, so that no two requests of one run of the laboratory are alike. */
let serial = 0;

interface RequestImage {
  readonly bytes: Buffer;
  readonly bodyAt: number;
}

/** Complete requests, head and body in one buffer, ready to be written in one piece. */
function renderRequests({ target, chunks }: LoadOrder): RequestImage[] {
  const heads = target.callers.map((headers) => {
    const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(
      `POST ${target.path} HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${bodyBytes}\r\n${own.join('')}\r\n`,
    );
  });
  return createChatBodies(distinctBodies, bodyBytes, chunks !== undefined).map((body, index) => {
    const head = heads[index % heads.length] ?? Buffer.alloc(0);
    return { bytes: Buffer.concat([head, body]), bodyAt: head.length };
  });
}

/** What all connections of one order share: the requests left, and what was measured. */
class Run {
  readonly order: LoadOrder;
  readonly latency = createHistogram();
  readonly firstToken = createHistogram();
  readonly chunkDelay = createHistogram();
  readonly #images: readonly RequestImage[];
  #deadline: number;
  #sent = 0;

  constructor(order: LoadOrder) {
    this.order = order;
    this.#images = renderRequests(order);
    this.#deadline = monotonicMicros() + order.maxMs * 1e3;
  }

  /** The next request, or undefined when the count or the time is over. There is one at least. */
  next(nowMicros: number): Buffer | undefined {
    const isLate = this.#sent > 0 && nowMicros >= this.#deadline;
    if (isLate || this.#sent >= this.order.maxRequests) return undefined;
    const image = this.#images[this.#sent % this.#images.length];
    serial += 1;
    if (image !== undefined) writeSerial(image.bytes, image.bodyAt, serial);
    this.#sent += 1;
    return image?.bytes;
  }

  /** Lets the other connections end after the answer they wait for. */
  stop(): void {
    this.#deadline = 0;
  }
}

const record = (histogram: RecordableHistogram, micros: number) =>
  histogram.record(Math.max(1, Math.round(micros * 1e3)));

/** Sends request after request over one connection until the run has no more. */
function runConnection(run: Run): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { port, ca } = run.order.target;
  const to = { host: '127.0.0.1', port, noDelay: true };
  const socket = ca === undefined ? connect(to) : connectTls({ ...to, ca, servername: 'localhost' }).setNoDelay();
  let sentAt = 0;
  let stamps = 0;
  let said = '';

  const send = () => {
    const now = monotonicMicros();
    const request = run.next(now);
    sentAt = now;
    stamps = 0;
    said = '';
    if (request === undefined) socket.end(resolve);
    else socket.write(request);
  };
  const readStamps = createStampReader((writtenAt) => {
    const now = monotonicMicros();
    stamps += 1;
    if (stamps === 1) record(run.firstToken, now - sentAt);
    record(run.chunkDelay, now - writtenAt);
  });
  const reader = new ResponseReader({
    onBody: (part) => {
      if (run.order.chunks !== undefined) readStamps(part);
      if (said === '') said = part.toString('latin1', 0, 200);
    },
    onEnd: (status) => {
      if (status !== 200) throw new Error(`answered ${status}: ${said}`);
      if (run.order.chunks !== undefined && stamps !== run.order.chunks) {
        throw new Error(`answered ${stamps} chunks of ${run.order.chunks}: ${said}`);
      }
      record(run.latency, monotonicMicros() - sentAt);
      send();
    },
  });

  const fail = (error: unknown) => {
    run.stop();
    reject(error);
    socket.destroy();
  };
  socket.setTimeout(stalledAfterMs, () => fail(new Error(`nothing came for ${stalledAfterMs} ms`)));
  socket.on('data', (bytes: Buffer) => {
    try {
      reader.push(bytes);
    } catch (error) {
      fail(error);
    }
  });
  socket.once(ca === undefined ? 'connect' : 'secureConnect', send);
  socket.once('error', fail);
  socket.once('close', () => fail(new Error('the connection was closed within an answer')));
  return promise;
}

const percentiles = (histogram: RecordableHistogram): Percentiles => ({
  p50Micros: histogram.percentile(50) / 1e3,
  p99Micros: histogram.percentile(99) / 1e3,
  maxMicros: histogram.max / 1e3,
});

async function measure(order: LoadOrder): Promise<LoadResult> {
  const run = new Run(order);
  const startedAt = monotonicMicros();
  await Promise.all(Array.from({ length: order.connections }, () => runConnection(run)));
  const elapsedMs = (monotonicMicros() - startedAt) / 1e3;
  const { latency, firstToken, chunkDelay } = run;
  const result = { requests: latency.count, elapsedMs, latency: percentiles(latency) };
  if (order.chunks === undefined) return result;
  const stream = {
    chunks: chunkDelay.count,
    firstToken: percentiles(firstToken),
    chunkDelay: percentiles(chunkDelay),
  };
  return { ...result, stream };
}

process.on('message', (order: LoadOrder) => {
  const say = (answer: LoadAnswer) => void process.send?.(answer);
  measure(order).then(
    (result) => say({ result }),
    (error: unknown) => say({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));
process.send?.({ ready: true });
