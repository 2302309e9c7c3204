import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Logger } from '@portcullis/platform/log/logger';
import type { CallerQuota } from '../caller-quota.ts';
import { createRequestThread, ThreadEnded } from '../threads/request-thread.ts';
import { createFairQueue } from '../threads/fair-queue.ts';
import type { ScanAnswer, ScanRequest } from './scan-messages.ts';

/** Scans skills in a thread of its own, one after the other, so that none of them keeps the service from answering:
 * those who signed in first. */
export interface ScanThread extends AsyncDisposable {
  /**
   * @throws {GatewayError} `service_unavailable` when too many scans wait or the thread ended twice;
   * `skill_unscannable` for a skill that takes more time or memory than a scan has
   */
  scan(request: ScanRequest, share: CallerQuota): Promise<ScanAnswer>;
}

interface ScanThreadOptions {
  readonly log: Logger;
  /** Of one scan; the first one of a thread also compiles the rules. */
  readonly timeoutMs?: number;
  /** Scans that wait at most, of all callers. */
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
  const thread = createRequestThread<ScanRequest, ScanAnswer>({
    log,
    script,
    timeoutMs,
    memoryMb,
    idleMs,
    work: 'scan this skill',
  });
  const queue = createFairQueue(maxWaiting, {
    ofAll: 'skills wait to be scanned',
    ofOne: 'skills of yours wait to be scanned',
  });

  const askTwice = async (request: ScanRequest): Promise<ScanAnswer> => {
    try {
      return await thread.ask(request);
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
    }
    try {
      return await thread.ask(request);
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      throw new GatewayError('service_unavailable', { message: 'The scanner failed; try again later', cause: error });
    }
  };

  return {
    scan: (request, share) => queue.run(share, () => askTwice(request)),
    async [Symbol.asyncDispose]() {
      await thread.end();
      await queue.settled();
    },
  };
}
