import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where packages of texts are kept between runs; nothing of them is installed or becomes part of this repository. */
export const packageCache = join(import.meta.dirname, '../../../node_modules/.cache/quality-texts');

/** Runs a command in the cache; answers what went wrong, undefined when nothing did. */
export function runInCache(command: string, args: readonly string[]): string | undefined {
  mkdirSync(packageCache, { recursive: true });
  const { status, error, stderr } = spawnSync(command, args, { cwd: packageCache, encoding: 'utf8' });
  if (error !== undefined) return `${command}: ${error.message}`;
  if (status === 0) return undefined;
  const lines = stderr.trim().split('\n');
  return `${command}: ${lines.find((line) => line.startsWith('E:')) ?? lines.at(-1) ?? `exit code ${status}`}`;
}
