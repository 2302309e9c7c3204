import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Logger } from '@portcullis/platform/log/logger';
import type { CallerQuota } from '../caller-quota.ts';
import { createRequestThread, ThreadEnded } from '../threads/request-thread.ts';
import { createFairQueue } from '../threads/fair-queue.ts';
import { lostPackage, type FileAnswer, type FileRequest } from './file-messages.ts';

/** Takes single files out of packages, in a thread of its own: of a package nothing else is inflated, and nobody waits for it. */
export interface FileReader extends AsyncDisposable {
  /**
   * Undefined for a file that the package does not have.
   * @param where the package is kept
   * @param loadCopy of the package, asked for when its file is lost or damaged
   * @throws {GatewayError} `service_unavailable` when too many files are asked for at once, `internal_error`
   */
  read(
    file: Pick<FileRequest, 'sha256' | 'path'> & { readonly where: string },
    loadCopy: () => Promise<Uint8Array>,
    share: CallerQuota,
  ): Promise<Uint8Array | undefined>;
}

/** Of a file that one answer carries: more is made to text in the service's own loop. */
export const maxFileBytes = 2_097_152;
const maxWaiting = 128;

export function createFileReader({ log }: { readonly log: Logger }): FileReader {
  const thread = createRequestThread<FileRequest, FileAnswer>({
    log,
    script: new URL('file-reader.worker.ts', import.meta.url),
    timeoutMs: 10_000,
    memoryMb: 256,
    idleMs: 600_000,
    work: 'read this file',
  });
  const queue = createFairQueue(maxWaiting, {
    ofAll: 'files of packages wait to be read',
    ofOne: 'files that you asked for wait to be read',
  });
  return {
    async read({ where, ...file }, loadCopy, share) {
      const ask = async (): Promise<FileAnswer> => {
        const answer = await thread.ask({ ...file, archive: where, maxBytes: maxFileBytes });
        if (!('fault' in answer) || answer.fault !== lostPackage) return answer;
        return thread.ask({ ...file, archive: await loadCopy(), maxBytes: maxFileBytes });
      };
      try {
        return bytesOrThrow(await queue.run(share, ask));
      } catch (error) {
        if (!(error instanceof ThreadEnded)) throw error;
        throw new GatewayError('service_unavailable', { message: 'The package cannot be read now', cause: error });
      }
    },
    async [Symbol.asyncDispose]() {
      await thread.end();
      await queue.settled();
    },
  };
}

function bytesOrThrow(answer: FileAnswer): Uint8Array | undefined {
  if (!('fault' in answer)) return answer.bytes;
  throw new GatewayError('internal_error', { message: 'The package cannot be read', cause: new Error(answer.fault) });
}
