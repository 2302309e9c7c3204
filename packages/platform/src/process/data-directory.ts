import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FileLocked, lockFileWithin } from './file-lock.ts';
import { problemCode, problemText } from '../errors/problem.ts';
import { StartProblem } from '../errors/start-problem.ts';

/** The folder for everything the process keeps on disk, held until it is disposed. */
export interface DataDirectory extends Disposable {
  /** Absolute. */
  readonly path: string;
}

export interface DataDirectoryOptions {
  /** How long to wait for another process of the name to end; not at all unless given. */
  readonly waitMs?: number;
  /** Told once when there is one to wait for. */
  readonly onWait?: () => void;
}

/**
 * Makes the folder when it is absent, for its owner only, and holds it under the process' name, so
 * that a second process of that name on the same folder is refused before it touches anything.
 * @throws {StartProblem}
 */
export async function openDataDirectory(
  path: string,
  processName: string,
  { waitMs = 0, onWait = () => undefined }: DataDirectoryOptions = {},
): Promise<DataDirectory> {
  const folder = resolve(path);
  try {
    makeFolders(folder);
    if (!statSync(folder).isDirectory()) throw noFolder(folder);
    const file = join(folder, `${processName}.lock`);
    const lock = await lockFileWithin(file, waitMs, onWait);
    return { path: folder, [Symbol.dispose]: () => lock[Symbol.dispose]() };
  } catch (error) {
    if (error instanceof StartProblem) throw error;
    if (error instanceof FileLocked) throw alreadyUsed(`process (${processName})`, folder, error);
    throw new StartProblem(
      `The data directory ${folder} cannot be used: ${problemText(error)}. Set DATA_DIR to a folder that this user can make and write to.`,
      error,
    );
  }
}

/** Node's own way to make folders with those above them never ends where the system says of each that it is not there, as in /proc. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolders(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process of the gateway was faster.
    if (problemCode(error) !== 'EEXIST') throw error;
  }
}

const noFolder = (path: string): StartProblem =>
  new StartProblem(`DATA_DIR is ${path}, which is a file. Set it to a folder that this user can make and write to.`);

/** The problem of a data directory, or a part of it, that another process holds. */
export const alreadyUsed = (holder: string, folder: string, cause: unknown): StartProblem =>
  new StartProblem(
    `Another Portcullis ${holder} already uses the data directory ${folder}. Stop it, or set DATA_DIR to another folder.`,
    cause,
  );
