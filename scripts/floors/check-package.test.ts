import { afterAll, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkPackage } from './check-package.ts';
import { findFloors } from './find-floors.ts';
import { readImports } from './read-imports.ts';

const packages = mkdtempSync(join(tmpdir(), 'portcullis-floors-'));
afterAll(() => rmSync(packages, { recursive: true, force: true }));
let count = 0;

/** A package of these sources, by their paths below `src`. */
function packageOf(sources: Record<string, string>): string {
  const folder = join(packages, String((count += 1)));
  for (const [file, text] of Object.entries({
    'package.json': '{ "name": "@portcullis/example" }',
    ...Object.fromEntries(Object.entries(sources).map(([file, text]) => [join('src', file), text])),
  })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

const layered = {
  'service.ts': "import { a } from './routes/a.ts';\n",
  'routes/a.ts': "import type { B } from '../store/b.ts';\nimport { readFile } from 'node:fs';\n",
  'routes/f.ts': "import '../store/b.ts';\n",
  'store/b.ts': "import { c } from '@portcullis/example/base/c';\n",
  'store/g.ts': "import '../base/c.ts';\n",
  'base/c.ts': 'export const c = 1;\n',
  'base/c.test.ts': "import { a } from '../routes/a.ts';\n",
};

test('a package whose imports only go down has floors', () => {
  const folder = packageOf(layered);
  expect(checkPackage(folder, 'example')).toEqual([]);
  const { files, imports } = readImports(folder);
  expect(findFloors(files, imports)).toEqual([
    { floor: 4, folder: 'service.ts', imports: ['routes'] },
    { floor: 3, folder: 'routes', imports: ['store'] },
    { floor: 2, folder: 'store', imports: ['base'] },
    { floor: 1, folder: 'base', imports: [] },
  ]);
});

test.each([
  ['of two folders', { 'store/d.ts': "import type { A } from '../routes/a.ts';\n" }, 'routes, store', 'store/d.ts'],
  ['around a corner', { 'base/d.ts': "import('../routes/a.ts');\n" }, 'base, routes, store', 'base/d.ts'],
  [
    'by the name of the package',
    { 'base/d.ts': "export { a } from '@portcullis/example/routes/a';\n" },
    'base, routes, store',
    'base/d.ts',
  ],
  [
    'of first folders, where no two folders below them import each other',
    { 'base/low/d.ts': 'export const d = 1;\n', 'base/high/e.ts': "import '../../routes/a.ts';\n" },
    'base, routes, store',
    'base/high/e.ts',
  ],
])('a circle %s is reported with the imports that close it', (_case, sources, folders, importer) => {
  expect(checkPackage(packageOf({ ...layered, ...sources }), 'example')).toEqual([
    `example: a circle of ${folders}, closed by\n  ${importer} imports routes/a.ts`,
  ]);
});
