import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../steps.mjs';

/** Every package of the repository, relative to its root. */
export const packages: readonly string[] = globSync(['{apps,packages}/*/package.json', 'bench/package.json'], {
  cwd: root,
})
  .map((file) => dirname(file))
  .toSorted();

/** The folder of a package. */
export const folderOf = (name: string): string => join(root, name);
