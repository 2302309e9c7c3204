import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Logger } from '@portcullis/platform/log/logger';
import { createAskedThread, ThreadEnded } from '../threads/asked-thread.ts';
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

export function createScanThread({
  log,
  maxWaiting = 64,
  timeoutMs = 30_000,
  memoryMb = 768,
  idleMs = 600_000,
  script = new URL('scan-skill.worker.ts', import.meta.url),
}: ScanThreadOptions): ScanThread {
  const thread = createAskedThread<ScanQuestion, ScanAnswer>({
    log,
    script,
    timeoutMs,
    memoryMb,
    idleMs,
    work: 'scan this skill',
  });
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  const askTwice = async (question: ScanQuestion): Promise<ScanAnswer> => {
    try {
      return await thread.ask(question);
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
    }
    try {
      return await thread.ask(question);
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
      await thread.end();
      await last;
    },
  };
}
