import { expect, test } from '@jest/globals';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countOpenFiles, readDatabaseBytes, readMetric, readRss, readWasmBytes } from './sample.ts';

test('a process tells its resident memory', () => {
  expect(readRss(process.pid)).toBeGreaterThan(2 ** 25);
  expect(readDatabaseBytes(process.pid)).toBeGreaterThanOrEqual(0);
});

test('open files are counted without those below a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-files-'));
  const file = openSync(join(folder, 'open'), 'w');
  try {
    const all = countOpenFiles(process.pid, '/nowhere');
    expect(all).toBeGreaterThan(2);
    expect(countOpenFiles(process.pid, folder)).toBe(all - 1);
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
});

test('mappings that may be written and end where a reserve of gigabytes begins are the memory of WebAssembly', () => {
  const smaps = [
    '7f0000000000-7f0000100000 rw-p 00000000 00:00 0',
    'Rss:                1024 kB',
    '7f0000100000-7f0300000000 ---p 00000000 00:00 0',
    'Rss:                   0 kB',
    '7f0300000000-7f0300100000 rw-p 00000000 00:00 0',
    'Rss:                 512 kB',
  ];
  expect(readWasmBytes(smaps.join('\n'))).toBe(2 ** 20);
});

test('mappings without a reserve behind them are none', () => {
  expect(readWasmBytes('7f00-7f10 rw-p 00000000 00:00 0\nRss: 64 kB\n7f20-7f30 ---p 00000000 00:00 0\n')).toBe(0);
});

test('figures are read out of the metrics by their whole name', () => {
  const metrics = '# HELP a_bytes x\na_bytes_total 7\na_bytes 1.5e6\nb{c="d"} 2\n';
  expect([readMetric(metrics, 'a_bytes'), readMetric(metrics, 'nothing')]).toEqual([1_500_000, 0]);
});
