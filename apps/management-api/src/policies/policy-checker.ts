import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { policyChecks } from './policy-checks.ts';

type Checks = typeof policyChecks;

export interface PolicyQuestion {
  readonly check: keyof Checks;
  readonly input: unknown;
}

export interface PolicyAnswer {
  readonly answer: unknown;
}

/** Checks policies of authors in a worker thread, which is ended when an answer takes too long. */
export interface PolicyChecker extends AsyncDisposable {
  /** @throws {GatewayError} `bad_request` when it takes too long, `service_unavailable` when too many wait */
  ask<Check extends keyof Checks>(
    check: Check,
    input: Parameters<Checks[Check]>[0],
  ): Promise<ReturnType<Checks[Check]>>;
}

export interface PolicyCheckerOptions {
  /** For one answer, from when its turn has come. */
  readonly deadlineMs?: number;
  /** Questions that are asked and not answered; more are refused. */
  readonly maxWaiting?: number;
}

const defaultDeadlineMs = 10_000;
const defaultMostWaiting = 32;
/** The thread holds tables of its own: it ends after this time without a question. */
const idleMs = 30_000;

export function createPolicyChecker({
  deadlineMs = defaultDeadlineMs,
  maxWaiting = defaultMostWaiting,
}: PolicyCheckerOptions = {}): PolicyChecker {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let waiting = 0;
  /** One after the other, so that the deadline of one is not used up by those before it. */
  let last: Promise<unknown> = Promise.resolve();

  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  };

  const answerInTime = async (question: PolicyQuestion): Promise<unknown> => {
    clearTimeout(idle);
    thread ??= await startThread();
    const asked = thread;
    const late = new AbortController();
    const deadline = setTimeout(() => late.abort(), deadlineMs);
    try {
      asked.postMessage(question);
      return (await answerOf(asked, late.signal)).answer;
    } catch (error) {
      void end();
      throw late.signal.aborted ? tookTooLong(deadlineMs) : error;
    } finally {
      clearTimeout(deadline);
      idle = setTimeout(() => void end(), idleMs).unref();
    }
  };

  return {
    ask(check, input) {
      if (waiting >= maxWaiting) {
        throw new GatewayError('service_unavailable', { message: 'Too many policies are being checked. Try again' });
      }
      waiting += 1;
      const answer = last.then(() => answerInTime({ check, input })).finally(() => (waiting -= 1));
      last = answer.catch(() => undefined);
      return answer as Promise<ReturnType<Checks[typeof check]>>;
    },

    [Symbol.asyncDispose]: end,
  };
}

/** A thread that has loaded its modules: a busy machine takes long for that, and no deadline counts it. */
async function startThread(): Promise<Worker> {
  const started = new Worker(new URL('policy-checks.worker.ts', import.meta.url));
  started.unref();
  await once(started, 'message');
  return started;
}

async function answerOf(thread: Worker, signal: AbortSignal): Promise<PolicyAnswer> {
  const done = new AbortController();
  const waits = { signal: AbortSignal.any([signal, done.signal]) };
  try {
    const [answer] = (await Promise.race([
      once(thread, 'message', waits),
      once(thread, 'exit', waits).then(() => {
        throw new Error('the thread that checks policies ended');
      }),
    ])) as [PolicyAnswer];
    return answer;
  } finally {
    done.abort();
  }
}

const tookTooLong = (deadlineMs: number): GatewayError =>
  new GatewayError('bad_request', {
    message: `Checking the policy took longer than ${deadlineMs / 1_000} s and was ended. Nothing was changed: use fewer or simpler patterns, or fewer texts`,
  });
