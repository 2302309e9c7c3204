import { UnusableFiles } from '../database/embedded/unusable-files.ts';
import { alreadyUsed } from '../process/data-directory.ts';
import { FileLocked } from '../process/file-lock.ts';
import { StartProblem } from '../errors/start-problem.ts';

/** What an operator is told where the embedded database in a data directory cannot be used. */
export function explainUnusableDatabase(error: unknown, dataDirectory: string): unknown {
  if (error instanceof UnusableFiles) return new StartProblem(error.message, error);
  return error instanceof FileLocked ? alreadyUsed('process', dataDirectory, error) : error;
}
