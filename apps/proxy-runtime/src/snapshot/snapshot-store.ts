import { readFile, rename, writeFile } from 'node:fs/promises';
import type { SnapshotRows } from './snapshot-rows.ts';

/** The last good rows on disk, so that a runtime starts and serves while the database is away. */
export interface SnapshotStore {
  /** Undefined when there is none, or none that can be read. */
  load(): Promise<SnapshotRows | undefined>;
  save(rows: SnapshotRows): Promise<void>;
}

const formatVersion = 5;

/**
 * Credentials inside stay sealed and keys are hashes, so the file holds no secret in the clear.
 * @param writer tells processes apart that keep the same file
 */
export const createSnapshotStore = (path: string, writer = 0): SnapshotStore => ({
  async load() {
    try {
      const file = JSON.parse(await readFile(path, 'utf8')) as { version: number; rows: SnapshotRows };
      return file.version === formatVersion ? file.rows : undefined;
    } catch {
      return undefined;
    }
  },

  async save(rows) {
    const draft = `${path}.new${writer}`;
    await writeFile(draft, JSON.stringify({ version: formatVersion, rows }), { mode: 0o600 });
    await rename(draft, path);
  },
});
