import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** An import of one file of a package by another, both relative to its `src`. */
export interface FileImport {
  readonly from: string;
  readonly to: string;
}

const specifiers = /(?:\bfrom|\bimport)\s*\(?\s*'([^'\n]+)'/g;
const isTest = (file: string): boolean => /\.(?:test|fixture|contract)\.ts$/.test(file);

/** What the sources of a package import of each other, tests and their fixtures aside. `folder` is that of its package.json. */
export function readImports(folder: string): {
  readonly files: readonly string[];
  readonly imports: readonly FileImport[];
} {
  const src = join(folder, 'src');
  const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string };
  const files = globSync('**/*.ts', { cwd: src })
    .filter((file) => !isTest(file))
    .toSorted();
  const known = new Set(files);
  const imports = files.flatMap((from) =>
    Array.from(readFileSync(join(src, from), 'utf8').matchAll(specifiers), ([, specifier = '']) => ({
      from,
      to: specifier.startsWith('.')
        ? normalize(join(dirname(from), specifier))
        : specifier.startsWith(`${name}/`)
          ? `${specifier.slice(name.length + 1)}.ts`
          : '',
    })).filter(({ to }) => known.has(to)),
  );
  return { files, imports };
}
