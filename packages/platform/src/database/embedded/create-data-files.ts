import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { problemCode } from '../../errors/problem.ts';
import { shortRunFlags } from '../../process/tune-engine.ts';
import type { Logger } from '../../log/logger.ts';

const script = fileURLToPath(new URL('initdb.ts', import.meta.url));

/**
 * Makes the files of an empty database in `directory`, all of them or none, unless they are there. The caller holds the
 * lock of the folder.
 * @throws when they cannot be made, or when the folder holds files that are no database
 */
export async function createDataFiles(directory: string, log: Logger): Promise<void> {
  if (existsSync(join(directory, 'PG_VERSION'))) return;
  log.info('Creating the embedded database, which takes some seconds', { directory });
  await removeEmptyFolder(directory);
  await removeDrafts(directory);
  const draft = `${directory}.new-${process.pid}`;
  await mkdir(draft, { mode: 0o700 });
  try {
    await promisify(execFile)(process.execPath, [...shortRunFlags, script, draft], { env: {} });
    await rename(draft, directory);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** What a process left behind that was killed while it made the files. */
async function removeDrafts(directory: string): Promise<void> {
  const parent = dirname(directory);
  const drafts = (await readdir(parent)).filter((name) => name.startsWith(`${basename(directory)}.new-`));
  for (const name of drafts) await rm(join(parent, name), { recursive: true, force: true });
}

async function removeEmptyFolder(directory: string): Promise<void> {
  try {
    await rmdir(directory);
  } catch (error) {
    if (problemCode(error) === 'ENOENT') return;
    throw new Error(`${directory} holds no database (PG_VERSION is missing) and is not empty`, { cause: error });
  }
}
