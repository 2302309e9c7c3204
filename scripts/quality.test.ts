import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';

test('the built-in policies keep to the floors of our own corpus', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/quality.ts', '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
