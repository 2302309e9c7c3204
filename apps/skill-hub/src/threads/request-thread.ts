import { Worker } from 'node:worker_threads';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { problemCode, problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';

export interface RequestThreadOptions {
  readonly log: Logger;
  readonly script: URL;
  /** Of one answer; the first one of a thread also loads what it needs. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** The thread ends after this time without a request. */
  readonly idleMs: number;
  /** What it does, for the message about one that took too much or broke off. */
  readonly work: string;
}

/** A thread that answers one request at a time; it starts with the first one, and again after one that failed. */
export interface RequestThread<Request, Answer> {
  /** @throws {GatewayError} `skill_unscannable` for what takes more time or memory, `service_unavailable` while stopping */
  ask(request: Request): Promise<Answer>;
  end(): Promise<void>;
}

/** The thread ended before it answered. */
export class ThreadEnded extends Error {}

export function createRequestThread<Request, Answer>(options: RequestThreadOptions): RequestThread<Request, Answer> {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let ended = false;
  const drop = async (): Promise<void> => {
    clearTimeout(idle);
    const dropped = thread;
    thread = undefined;
    await dropped?.terminate();
  };
  return {
    async ask(request) {
      clearTimeout(idle);
      if (ended) throw stopping();
      const asked = (thread ??= startThread(options));
      try {
        const answer = await answerOf<Answer>(asked, request, options);
        idle = setTimeout(() => void drop(), options.idleMs).unref();
        return answer;
      } catch (error) {
        const facts = { work: options.work, reason: problemText(error) };
        options.log.warn('A thread broke off its work and is started again', facts);
        await drop();
        throw ended ? stopping() : error;
      }
    },
    async end() {
      ended = true;
      await drop();
    },
  };
}

const stopping = () => new GatewayError('service_unavailable', { message: 'The gateway is stopping' });

function startThread({ script, memoryMb }: RequestThreadOptions): Worker {
  const started = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
  started.unref();
  // One that fails between two requests is noticed by the next.
  started.on('error', () => undefined);
  return started;
}

async function answerOf<Answer>(
  thread: Worker,
  request: unknown,
  { timeoutMs, work }: RequestThreadOptions,
): Promise<Answer> {
  const tooMuch = (what: string, cause?: unknown) =>
    new GatewayError('skill_unscannable', { message: `To ${work} takes ${what}, and there is no more for it`, cause });
  const settled = Promise.withResolvers<Answer>();
  const fail = (error: unknown): void => {
    const isTooLarge = problemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY';
    settled.reject(isTooLarge ? tooMuch('more memory', error) : new ThreadEnded(problemText(error), { cause: error }));
  };
  const exit = (): void => settled.reject(new ThreadEnded('the thread ended'));
  const seconds = timeoutMs / 1_000;
  const timer = setTimeout(() => settled.reject(tooMuch(`more than ${seconds} seconds`)), timeoutMs);
  thread.once('message', settled.resolve).once('error', fail).once('exit', exit);
  try {
    thread.postMessage(request);
    return await settled.promise;
  } finally {
    clearTimeout(timer);
    thread.off('message', settled.resolve).off('error', fail).off('exit', exit);
  }
}
