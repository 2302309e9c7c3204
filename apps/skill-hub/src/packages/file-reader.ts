import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Logger } from '@portcullis/platform/log/logger';
import { createAskedThread, ThreadEnded } from '../threads/asked-thread.ts';
import { lostPackage, type FileAnswer, type FileQuestion } from './file-question.ts';

/** Takes single files out of packages, in a thread of its own: of a package nothing else is inflated, and nobody waits for it. */
export interface FileReader extends AsyncDisposable {
  /**
   * Undefined for a file that the package does not have.
   * @param where the package is kept
   * @param loadCopy of the package, asked for when its file is lost or damaged
   * @throws {GatewayError} `service_unavailable` when too many files are asked for at once, `internal_error`
   */
  read(
    file: Pick<FileQuestion, 'sha256' | 'path'> & { readonly where: string },
    loadCopy: () => Promise<Uint8Array>,
  ): Promise<Uint8Array | undefined>;
}

/** Of a file that one answer carries: more is made to text in the service's own loop. */
export const maxFileBytes = 2_097_152;
const maxWaiting = 64;

export function createFileReader({ log }: { readonly log: Logger }): FileReader {
  const thread = createAskedThread<FileQuestion, FileAnswer>({
    log,
    script: new URL('read-file.worker.ts', import.meta.url),
    timeoutMs: 10_000,
    memoryMb: 256,
    idleMs: 600_000,
    work: 'read this file',
  });
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async read({ where, ...file }, loadCopy) {
      if (waiting >= maxWaiting) {
        const message = `${maxWaiting} files of packages are read already; try again in some seconds`;
        throw new GatewayError('service_unavailable', { message, headers: { 'retry-after': '2' } });
      }
      waiting += 1;
      const ask = async (): Promise<FileAnswer> => {
        const answer = await thread.ask({ ...file, archive: where, maxBytes: maxFileBytes });
        if (!('fault' in answer) || answer.fault !== lostPackage) return answer;
        return thread.ask({ ...file, archive: await loadCopy(), maxBytes: maxFileBytes });
      };
      const mine = last.then(ask);
      last = mine.catch(() => undefined);
      try {
        return bytesOrThrow(await mine);
      } catch (error) {
        if (!(error instanceof ThreadEnded)) throw error;
        throw new GatewayError('service_unavailable', { message: 'The package cannot be read now', cause: error });
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

function bytesOrThrow(answer: FileAnswer): Uint8Array | undefined {
  if (!('fault' in answer)) return answer.bytes;
  throw new GatewayError('internal_error', { message: 'The package cannot be read', cause: new Error(answer.fault) });
}
