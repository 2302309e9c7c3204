import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTinyClassifier } from '../packages/testkit/src/onnx/tiny-classifier.ts';
import { thresholdFor } from './quality/provider/measure-shares.ts';

test('the built-in policies keep to the floors of our own corpus', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/quality.ts', '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

test('a classifier gets the lowest threshold at which no kind of harmless text is flagged too often', () => {
  const harmless = (kind: string, shares: readonly number[]) =>
    shares.map((share) => ({ kind, isAttack: false, isHeld: false, share }));
  const many = Array.from({ length: 200 }, (_, place) => place / 1_000);
  expect(thresholdFor([...harmless('a', many), ...harmless('b', [0.3])], 0.01)).toBe(0.3001);
  expect(thresholdFor(harmless('a', many), 0.01)).toBe(0.1971);
  expect(thresholdFor(harmless('a', [1]), 0.01)).toBe(1);
});

test('a classifier is measured on texts that its threshold was not chosen on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quality-'));
  try {
    await writeTinyClassifier(join(folder, 'tiny'));
    await mkdir(join(folder, 'texts'));
    const lines = ['tuned', 'held'].flatMap((half) => [
      { id: `${half} 1`, half, label: 'attack', text: 'the forbidden' },
      { id: `${half} 2`, half, label: 'attack', text: 'the odd' },
      { id: `${half} 3`, half, label: 'benign', text: 'the weather' },
    ]);
    await writeFile(join(folder, 'texts', 'own.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['scripts/quality.ts', '--provider', join(folder, 'tiny'), '--data', join(folder, 'texts')],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^attacks +2 +100\.0 % .*? +50\.0 % .*? +50\.0 % .*? +100\.0 %/m);
    expect(stdout).toMatch(/^harmless texts +1 +0\.0 %/m);
  } finally {
    await rm(folder, { recursive: true });
  }
});
