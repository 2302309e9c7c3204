import { Worker } from 'node:worker_threads';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { problemCode, problemText } from '@portcullis/platform/lifecycle/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { ScanAnswer, ScanQuestion } from './scan-question.ts';

/** Scans skills in a thread of its own, one after the other, so that none of them keeps the service from answering. */
export interface ScanThread extends AsyncDisposable {
  /**
   * @throws {GatewayError} `service_unavailable` when too many scans wait or the thread ended twice;
   * `skill_unscannable` for a skill that takes more time or memory than a scan has
   */
  scan(question: ScanQuestion): Promise<ScanAnswer>;
}

interface ScanThreadOptions {
  readonly log: Logger;
  /** Of one scan; the first one of a thread also compiles the rules. */
  readonly timeoutMs?: number;
  /** Scans that wait at most. */
  readonly maxWaiting?: number;
  readonly memoryMb?: number;
  /** The thread keeps the compiled rules: it ends after this time without a scan. */
  readonly idleMs?: number;
  readonly script?: URL;
}

/** The thread went without a word about the scan. */
class ThreadEnded extends Error {}

export function createScanThread({ maxWaiting = 64, ...options }: ScanThreadOptions): ScanThread {
  const held = holdThread(options);
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  const askTwice = async (question: ScanQuestion): Promise<ScanAnswer> => {
    try {
      return await held.ask(question);
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
    }
    try {
      return await held.ask(question);
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      throw new GatewayError('service_unavailable', { message: 'The scanner failed; try again later', cause: error });
    }
  };

  return {
    async scan(question) {
      if (waiting >= maxWaiting) {
        const message = `${maxWaiting} skills wait to be scanned already; try again in some seconds`;
        throw new GatewayError('service_unavailable', { message, headers: { 'retry-after': '5' } });
      }
      waiting += 1;
      const mine = last.then(() => askTwice(question));
      last = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        waiting -= 1;
      }
    },
    async [Symbol.asyncDispose]() {
      await held.end();
      await last;
    },
  };
}

/** The thread, started when it is needed, and anew after a scan that broke off. Asked one question at a time. */
function holdThread({
  log,
  timeoutMs = 30_000,
  memoryMb = 768,
  idleMs = 600_000,
  script = new URL('scan-skill.worker.ts', import.meta.url),
}: Omit<ScanThreadOptions, 'maxWaiting'>) {
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
    async ask(question: ScanQuestion): Promise<ScanAnswer> {
      clearTimeout(idle);
      if (ended) throw stopping();
      const asked = (thread ??= startThread(script, memoryMb));
      try {
        const answer = await answerOf(asked, question, timeoutMs);
        idle = setTimeout(() => void drop(), idleMs).unref();
        return answer;
      } catch (error) {
        log.warn('A scan broke off, and its thread is started again', { reason: problemText(error) });
        await drop();
        throw ended ? stopping() : error;
      }
    },
    async end(): Promise<void> {
      ended = true;
      await drop();
    },
  };
}

const stopping = () => new GatewayError('service_unavailable', { message: 'The gateway is stopping' });

function startThread(script: URL, memoryMb: number): Worker {
  const started = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
  started.unref();
  // One that fails between two scans is noticed by the next.
  started.on('error', () => undefined);
  return started;
}

async function answerOf(thread: Worker, question: ScanQuestion, timeoutMs: number): Promise<ScanAnswer> {
  const settled = Promise.withResolvers<ScanAnswer>();
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

const tooMuch = (what: string, cause?: unknown) =>
  new GatewayError('skill_unscannable', { message: `To scan this skill takes ${what}, and a scan has no more`, cause });
