import { Worker } from 'node:worker_threads';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { problemCode, problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';

export interface AskedThreadOptions {
  readonly log: Logger;
  readonly script: URL;
  /** Of one answer; the first one of a thread also loads what it needs. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** The thread ends after this time without a question. */
  readonly idleMs: number;
  /** What it does, as a person is told when it took too much or broke off. */
  readonly work: string;
}

/** A thread that answers one question at a time, started when it is needed, and anew after an answer that broke off. */
export interface AskedThread<Question, Answer> {
  /** @throws {GatewayError} `skill_unscannable` for what takes more time or memory, `service_unavailable` while stopping */
  ask(question: Question): Promise<Answer>;
  end(): Promise<void>;
}

/** The thread went without a word about the question. */
export class ThreadEnded extends Error {}

export function createAskedThread<Question, Answer>(options: AskedThreadOptions): AskedThread<Question, Answer> {
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
    async ask(question) {
      clearTimeout(idle);
      if (ended) throw stopping();
      const asked = (thread ??= startThread(options));
      try {
        const answer = await answerOf<Answer>(asked, question, options);
        idle = setTimeout(() => void drop(), options.idleMs).unref();
        return answer;
      } catch (error) {
        const told = { work: options.work, reason: problemText(error) };
        options.log.warn('A thread broke off its work and is started again', told);
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

function startThread({ script, memoryMb }: AskedThreadOptions): Worker {
  const started = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
  started.unref();
  // One that fails between two questions is noticed by the next.
  started.on('error', () => undefined);
  return started;
}

async function answerOf<Answer>(
  thread: Worker,
  question: unknown,
  { timeoutMs, work }: AskedThreadOptions,
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
    thread.postMessage(question);
    return await settled.promise;
  } finally {
    clearTimeout(timer);
    thread.off('message', settled.resolve).off('error', fail).off('exit', exit);
  }
}
