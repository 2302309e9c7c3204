import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { Spool } from '@portcullis/platform/spool/spool';
import { isSpoolName } from './spool-name.ts';

/**
 * Drains the spools that a runtime with another number of workers left in the data directory: nobody
 * appends to them any more, and what is in them is evidence all the same.
 * @param inUse spools that another process has
 */
export async function adoptSpools(
  { dataDirectory, openSpool }: Pick<Infrastructure, 'dataDirectory' | 'openSpool'>,
  inUse: ReadonlySet<string>,
  log: Logger,
): Promise<AsyncDisposable> {
  const names = await readdir(join(dataDirectory, 'spool')).catch(() => []);
  const spools: Spool[] = [];
  for (const name of names.filter((each) => isSpoolName(each) && !inUse.has(each))) {
    try {
      const spool = await openSpool(name);
      const { pendingRecords: records } = spool.state();
      if (records > 0) log.info('records of a former worker are taken over', { spool: name, records });
      spools.push(spool);
    } catch (error) {
      log.warn('a spool of a former worker cannot be taken over', { spool: name, reason: problemText(error) });
    }
  }
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(spools.map((spool) => spool[Symbol.asyncDispose]()));
    },
  };
}
