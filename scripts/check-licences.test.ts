import { afterAll, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProblems, isAllowed } from './check-licences.mjs';

const folder = mkdtempSync(join(tmpdir(), 'licences-'));
afterAll(() => rmSync(folder, { recursive: true }));

function install(name: string, license: unknown) {
  const path = join(folder, 'node_modules', '.pnpm', `${name}@1.0.0`, 'node_modules', name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name, version: '1.0.0', license }));
}

test('an expression is allowed when one choice is, and a choice when all its parts are', () => {
  expect(isAllowed('MIT')).toBe(true);
  expect(isAllowed('(MIT OR GPL-3.0-or-later)')).toBe(true);
  expect(isAllowed('(MIT AND Zlib)')).toBe(true);
  expect(isAllowed('MIT AND GPL-3.0-only')).toBe(false);
  expect(isAllowed('GPL-3.0-only')).toBe(false);
});

test('packages without a licence that fits are named with it', () => {
  install('fine', 'MIT');
  install('copyleft', 'AGPL-3.0-only');
  install('silent', undefined);
  expect(findProblems(folder)).toEqual(['copyleft@1.0.0: AGPL-3.0-only', 'silent@1.0.0: no licence told']);
});
