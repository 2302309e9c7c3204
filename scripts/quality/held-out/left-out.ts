import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderTable } from '../../../packages/detector-training/src/render-table.ts';
import { tables } from '../../../packages/detector-training/src/train.ts';
import type { Hits } from '../counts.ts';

/**
 * What is found of some sources by tables that were trained without them, one by one: none of our texts says anything of others
 * by tables that have seen it. Detectors read their tables when they are loaded, so another process counts.
 */
export function countLeftOut(sources: readonly string[]): ReadonlyMap<string, Hits> {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-tables-'));
  try {
    for (const name of ['words', 'orders'] as const)
      writeFileSync(join(folder, `${tables[name].file}.table.ts`), renderTable(name, sources));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        '--import',
        join(import.meta.dirname, 'other-tables.mjs'),
        join(import.meta.dirname, 'count-sources.ts'),
        ...sources,
      ],
      { encoding: 'utf8', env: { ...process.env, PORTCULLIS_TABLES: folder } },
    );
    if (status !== 0) throw new Error(stderr);
    return new Map(Object.entries(JSON.parse(stdout) as Record<string, Hits>));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
