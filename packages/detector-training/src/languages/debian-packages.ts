import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageCache, runInCache } from '../package-cache.ts';

/** A package that has been unpacked. */
export interface UnpackedPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

/** Packages are named as their files are: `name_version_architecture`, colons in the version escaped. */
function findUnpacked(name: string): UnpackedPackage | undefined {
  const folder = readdirSync(packageCache).find((entry) => entry.startsWith(`${name}_`) && !entry.endsWith('.deb'));
  return folder === undefined
    ? undefined
    : { name, version: folder.split('_')[1] ?? '', folder: join(packageCache, folder) };
}

/**
 * Downloads and unpacks Debian packages, without installing them. Answers those that could be had, and
 * what `apt-get` or `dpkg-deb` said where some could not.
 */
export function loadPackages(names: readonly string[]): {
  readonly packages: readonly UnpackedPackage[];
  readonly problem: string | undefined;
} {
  mkdirSync(packageCache, { recursive: true });
  const missing = names.filter((name) => findUnpacked(name) === undefined);
  const problem = missing.length === 0 ? undefined : fetch(missing);
  return { packages: names.flatMap((name) => findUnpacked(name) ?? []), problem };
}

function fetch(names: readonly string[]): string | undefined {
  const downloaded = runInCache('apt-get', ['download', '--quiet=2', ...names]);
  // What came before something failed is unpacked all the same.
  for (const file of readdirSync(packageCache).filter((entry) => entry.endsWith('.deb'))) {
    const folder = join(packageCache, file.slice(0, -'.deb'.length));
    const part = `${folder}.part.deb`;
    if (!existsSync(folder)) {
      const failure = runInCache('dpkg-deb', ['--extract', file, part]);
      if (failure !== undefined) return failure;
      renameSync(part, folder);
    }
    rmSync(join(packageCache, file));
  }
  return downloaded;
}
