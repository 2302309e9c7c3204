import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FileLocked, lockFileOrThrow } from './file-lock.ts';
import { problemText } from './problem.ts';
import { StartProblem } from './start-problem.ts';

/** The folder for everything the process keeps on disk, held until it is disposed. */
export interface DataDirectory extends Disposable {
  /** Absolute. */
  readonly path: string;
}

/**
 * Makes the folder when it is absent, for its owner only, and holds it under the process' name, so
 * that a second process of that name on the same folder is refused before it touches anything.
 * @throws {StartProblem}
 */
export function openDataDirectory(path: string, processName: string): DataDirectory {
  const folder = resolve(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = lockFileOrThrow(join(folder, `${processName}.lock`));
    return { path: folder, [Symbol.dispose]: () => lock[Symbol.dispose]() };
  } catch (error) {
    if (error instanceof FileLocked) throw alreadyUsed(`process (${processName})`, folder, error);
    throw new StartProblem(`The data directory ${folder} cannot be used: ${problemText(error)}.`, error);
  }
}

/** The problem of a data directory, or a part of it, that another process holds. */
export const alreadyUsed = (holder: string, folder: string, cause: unknown): StartProblem =>
  new StartProblem(
    `Another Portcullis ${holder} already uses the data directory ${folder}. Stop it, or set DATA_DIR to another folder.`,
    cause,
  );
