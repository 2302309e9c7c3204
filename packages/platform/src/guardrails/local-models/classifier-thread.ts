import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { problemText } from '../../errors/problem.ts';
import type {
  Classification,
  ClassifierAnswer,
  ClassifierQuestion,
  ClassifierSource,
  ClassifierThreadData,
} from './classifier-question.ts';

/** Questions that wait for one model; what comes beyond them is not asked. */
const maxWaiting = 64;
/** How long a thread may go on with a question that was given up: no window takes so long, nor opening a model. */
const stuckAfterMs = 60_000;
const endWithinMs = 5_000;
/** Of JavaScript, for the vocabulary; the model's own memory is bounded by its size. */
const memoryMb = 1_024;

export type ClassifierTexts = Omit<ClassifierQuestion, 'id' | 'untilMs'>;

/** A model in a thread of its own. Asked one question at a time; started when it is needed, and anew after it failed. */
export class ClassifierThread implements AsyncDisposable {
  readonly #source: ClassifierSource;
  readonly #givenUp = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #thread: Worker | undefined;
  #nextId = 1;
  #waiting = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #ended = false;
  lastAskedMs = performance.now();

  constructor(source: ClassifierSource) {
    this.#source = source;
  }

  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** @throws what keeps the model from judging, and the reason of the signal */
  async ask(texts: ClassifierTexts, signal: AbortSignal, timeoutMs: number): Promise<Classification> {
    if (this.#waiting >= maxWaiting) throw new Error(`${maxWaiting} questions wait for this model already`);
    this.#waiting += 1;
    const untilMs = Date.now() + timeoutMs;
    const mine = this.#turn.then(() => this.#answer(texts, signal, untilMs));
    // The next one's turn is when the thread is done with this one, even if its asker is gone.
    this.#turn = mine.then(({ done }) => done).catch(() => undefined);
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      const { answer } = await Promise.race([mine, aborted.promise]);
      return await Promise.race([answer, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
      this.#waiting -= 1;
      this.lastAskedMs = performance.now();
    }
  }

  /** The answer, and when the thread is free again. */
  async #answer(texts: ClassifierTexts, signal: AbortSignal, untilMs: number): Promise<Turn> {
    signal.throwIfAborted();
    if (this.#ended) throw new Error('The gateway is stopping');
    const thread = (this.#thread ??= startThread({ source: this.#source, givenUp: this.#givenUp }));
    const id = this.#nextId;
    this.#nextId = (id % 2_147_483_647) + 1;
    const giveUp = (): void => void Atomics.store(this.#givenUp, 0, id);
    signal.addEventListener('abort', giveUp, { once: true });
    const said = saidBy(thread, id);
    // What a process waits for keeps it alive, and a thread without a question does not.
    thread.ref();
    thread.postMessage({ ...texts, id, untilMs } satisfies ClassifierQuestion);
    const done = this.#settle(thread, said, signal).finally(() => signal.removeEventListener('abort', giveUp));
    const answer = said.then((given) => {
      if ('problem' in given) throw new Error(given.problem);
      return given;
    });
    // The caller may be gone.
    answer.catch(() => undefined);
    return { answer, done };
  }

  /** Until the thread is free; one that is stuck or useless is dropped. */
  async #settle(thread: Worker, said: Promise<ClassifierAnswer>, signal: AbortSignal): Promise<void> {
    const stopWatch = new AbortController();
    const stuck = whenAborted(signal, stopWatch.signal)
      .then(() => wait(stuckAfterMs, 'stuck' as const, { signal: stopWatch.signal, ref: false }))
      .catch(() => 'watched' as const);
    const came = await Promise.race([said.catch(() => 'lost' as const), stuck]);
    stopWatch.abort();
    thread.unref();
    const isUseless = typeof came === 'string' || ('problem' in came && came.fatal);
    if (!isUseless || this.#thread !== thread) return;
    this.#thread = undefined;
    await thread.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    const thread = this.#thread;
    this.#thread = undefined;
    if (thread === undefined) return;
    const exited = new Promise<void>((resolve) => void thread.once('exit', () => resolve()));
    // Held while it gives its memory back.
    thread.ref();
    thread.postMessage(undefined);
    await Promise.race([exited, wait(endWithinMs, undefined, { ref: false })]);
    await thread.terminate();
  }
}

interface Turn {
  readonly answer: Promise<Classification>;
  readonly done: Promise<void>;
}

function startThread(data: ClassifierThreadData): Worker {
  const started = new Worker(new URL('classify.worker.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  started.unref();
  // One that fails between two questions is noticed by the next.
  started.on('error', () => undefined);
  return started;
}

/** What the thread says of one question. Rejects when it ends without a word. */
function saidBy(thread: Worker, id: number): Promise<ClassifierAnswer> {
  const said = Promise.withResolvers<ClassifierAnswer>();
  const take = (answer: ClassifierAnswer): void => {
    if (answer.id === id) said.resolve(answer);
  };
  const fail = (error: unknown): void => said.reject(new Error(`The model's thread failed: ${problemText(error)}`));
  const exit = (): void => said.reject(new Error("The model's thread ended"));
  thread.on('message', take).once('error', fail).once('exit', exit);
  void said.promise
    .catch(() => undefined)
    .finally(() => thread.off('message', take).off('error', fail).off('exit', exit));
  return said.promise;
}

/** @throws when `stop` comes first */
function whenAborted(signal: AbortSignal, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true, signal: stop });
    stop.addEventListener('abort', () => reject(new Error('not watched any more')), { once: true });
  });
}
