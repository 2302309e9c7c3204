import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
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

/** The folder of a package of the npm registry, which is fetched once, or what was said where it cannot be had. */
export function unpackPackage(name: string, version: string): string | { readonly problem: string } {
  const archive = `${name.replace('@', '').replace('/', '-')}-${version}`;
  const folder = join(packageCache, archive);
  const whole = join(folder, 'package');
  if (existsSync(join(whole, 'package.json'))) return whole;
  mkdirSync(folder, { recursive: true });
  const problem =
    runInCache('npm', ['pack', '--silent', `${name}@${version}`]) ??
    runInCache('tar', ['xzf', `${archive}.tgz`, '-C', folder]);
  return problem === undefined ? whole : { problem };
}
