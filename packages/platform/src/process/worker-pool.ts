import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from '../log/logger.ts';
import { StartProblem } from '../errors/start-problem.ts';

export interface WorkerPoolOptions {
  readonly count: number;
  /** The script that each worker runs, with its number as the only argument. */
  readonly script: string;
  readonly log: Logger;
  /** A worker that has not ended so long after it was asked to is killed. */
  readonly killAfterMs: number;
  /** What a worker sent, and how to answer it. */
  readonly onMessage: (worker: number, message: unknown, answer: (message: unknown) => void) => void;
  /** The process of a worker has ended; another one follows under the same number, unless the pool ends too. */
  readonly onEnd: (worker: number) => void;
}

/** A message with which a worker says that it serves. Everything else is between it and the owner of the pool. */
export const readyMessage = 'ready';

const firstPauseMs = 100;
const longestPauseMs = 10_000;
/** A worker that lived so long was well: its end says nothing about its next start. */
const wellAfterMs = 30_000;

interface Place {
  worker: Worker | undefined;
  ready: boolean;
  startedAt: number;
  pauseMs: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Processes that share the ports they listen on: this one accepts connections and gives them out in
 * turn. A worker that ends is started again, after a pause that grows while it keeps ending.
 * Disposing asks all to end, with SIGTERM, and waits until they have.
 */
export class WorkerPool implements AsyncDisposable {
  readonly #options: WorkerPoolOptions;
  readonly #places = new Map<number, Place>();
  #started = Promise.withResolvers<void>();
  #stopping = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    for (let number = 1; number <= options.count; number += 1) {
      this.#places.set(number, {
        worker: undefined,
        ready: false,
        startedAt: 0,
        pauseMs: firstPauseMs,
        timer: undefined,
      });
    }
  }

  /** Numbers of the workers that do not serve at present. */
  get missing(): readonly number[] {
    return [...this.#places].filter(([, { ready }]) => !ready).map(([number]) => number);
  }

  /**
   * Resolves when all workers serve.
   * @throws {StartProblem} when one ends before
   */
  async start(): Promise<void> {
    cluster.schedulingPolicy = cluster.SCHED_RR;
    for (const [number, place] of this.#places) this.#fork(number, place);
    await this.#started.promise;
  }

  /** Sends a message to all workers but one. */
  tellOthers(than: number, message: object): void {
    for (const [number, { worker }] of this.#places) if (number !== than && worker !== undefined) send(worker, message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#places.values()].map((place) => stop(place, this.#options.killAfterMs)));
  }

  #fork(number: number, place: Place): void {
    const { script, onMessage } = this.#options;
    cluster.setupPrimary({ exec: script, args: [String(number)], serialization: 'advanced' });
    const worker = cluster.fork();
    Object.assign(place, { worker, startedAt: performance.now(), timer: undefined });
    const answer = (message: unknown): void => send(worker, message as object);
    worker.on('error', () => undefined);
    worker.on('message', (message: unknown) => {
      if (message === readyMessage) this.#markReady(place);
      else onMessage(number, message, answer);
    });
    worker.once('exit', (code, signal) => this.#takeEnd(number, place, signal ?? code));
  }

  #markReady(place: Place): void {
    place.ready = true;
    if (this.missing.length === 0) this.#started.resolve();
  }

  #takeEnd(number: number, place: Place, how: number | string): void {
    const { log, onEnd } = this.#options;
    Object.assign(place, { worker: undefined, ready: false });
    onEnd(number);
    if (this.#stopping) return;
    this.#started.reject(
      new StartProblem(`Worker ${number} ended (${how}) before all were ready; its own lines say why.`),
    );
    this.#started.promise.catch(() => undefined);
    const well = performance.now() - place.startedAt > wellAfterMs;
    const pauseMs = well ? firstPauseMs : place.pauseMs;
    place.pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    log.error('A worker ended and is started again', { worker: number, ended: how, in_ms: pauseMs });
    place.timer = setTimeout(() => this.#fork(number, place), pauseMs);
  }
}

/** A worker that has gone meanwhile needs no message. */
function send(worker: Worker, message: object): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

async function stop({ worker, timer }: Place, killAfterMs: number): Promise<void> {
  clearTimeout(timer);
  if (worker === undefined) return;
  const ended = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  const kill = setTimeout(() => worker.process.kill('SIGKILL'), killAfterMs);
  await ended;
  clearTimeout(kill);
}
