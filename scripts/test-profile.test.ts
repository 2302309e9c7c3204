import { describe, expect, test } from '@jest/globals';
import { renderDearest, renderProfile } from './test-profile.mjs';

const aFile = { totalMs: 0, toFirstTestMs: 0, waitingMs: 0, processorMs: 0, processes: 0, databases: 0 };
const took = (totalMs: number) => ({ ...aFile, totalMs });

describe('the profile of a run', () => {
  test('has a line per file, the dearest first, and their sums', () => {
    const lines = renderProfile({
      'a.test.ts': { ...took(1_000), toFirstTestMs: 400, waitingMs: 250, processorMs: 700, databases: 1 },
      'b.e2e.test.ts': { ...took(20_000), processes: 3 },
    });
    expect(lines.map((line) => line.trim().split(/\s+/))).toEqual([
      ['seconds', 'to', 'test', 'waiting', 'core', 'proc', 'db'],
      ['20.0', '0.0', '0.0', '0.0', '3', '0', 'b.e2e.test.ts'],
      ['1.0', '0.4', '0.3', '0.7', '0', '1', 'a.test.ts'],
      ['21.0', '0.4', '0.3', '0.7', '3', '1', 'all', '2', 'files'],
    ]);
  });

  test('ends with the five dearest files', () => {
    const files = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((size) => [`${size}.test.ts`, took(size * 1_000)]));
    expect(renderDearest(files, {}).map((line) => line.trim())).toEqual([
      '7.0 s  7.test.ts',
      '6.0 s  6.test.ts',
      '5.0 s  5.test.ts',
      '4.0 s  4.test.ts',
      '3.0 s  3.test.ts',
    ]);
  });

  const others = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.test.ts`, 60_000]));
  const like = (pace: number) =>
    Object.fromEntries(Object.entries(others).map(([file, totalMs]) => [file, took(totalMs * pace)]));
  const grown = (profile: Parameters<typeof renderDearest>[0], kept: Record<string, number>) =>
    renderDearest(profile, kept).slice(5);

  test('names a file that takes twice what was kept of it', () => {
    const kept = { ...others, 'slow.test.ts': 10_000, 'as-ever.test.ts': 10_000 };
    const profile = { ...like(1), 'slow.test.ts': took(21_000), 'as-ever.test.ts': took(12_000) };
    expect(grown(profile, kept)).toEqual(['  21.0 s  slow.test.ts, which took 10.0 s when its time was kept']);
  });

  test('names none on a machine that is slower in all, or for a few seconds', () => {
    expect(grown(like(3), others)).toEqual([]);
    expect(grown({ ...like(1), 'short.test.ts': took(3_000) }, { ...others, 'short.test.ts': 500 })).toEqual([]);
  });
});
