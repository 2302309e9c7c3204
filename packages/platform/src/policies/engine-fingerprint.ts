import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const fileOf = (module: string): string => fileURLToPath(import.meta.resolve(module));

/** Everything that decides what the analysis of a pattern comes to, and no more. */
async function listSources(): Promise<readonly string[]> {
  const folder = dirname(fileOf('@portcullis/core/policy/pattern/analyse-pattern'));
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return [
    ...names.toSorted().map((name) => join(folder, name)),
    fileOf('@portcullis/core/policy/views/vocabulary'),
    fileOf('@portcullis/contracts/policy-file'),
    // The versions of the parser and of the linear engine.
    join(folder, '../../../package.json'),
  ];
}

/** Tells versions of the policy engine apart: what one of them found out of patterns holds for no other. */
export async function fingerprintEngine(): Promise<string> {
  const hash = createHash('sha256').update(`${process.versions.v8} ${process.arch}\n`);
  for (const file of await listSources()) hash.update(`${basename(file)}\n`).update(await readFile(file));
  return hash.digest('hex');
}
