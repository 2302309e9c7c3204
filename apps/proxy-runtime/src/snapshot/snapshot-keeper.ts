import { problemText } from '@portcullis/platform/lifecycle/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { SnapshotRows } from './snapshot-rows.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** Of the time, no more than a twentieth is spent on writing while changes go on. */
const restPerWrite = 20;

/**
 * Keeps the newest rows on disk: at once after a quiet time, and then as often as their number allows, from every
 * fraction of a second for a small configuration to every few seconds for a large one.
 */
export interface SnapshotKeeper extends AsyncDisposable {
  keep(rows: SnapshotRows): void;
}

export function createSnapshotKeeper(store: SnapshotStore, log: Logger, longestRestMs = 5_000): SnapshotKeeper {
  let newest: SnapshotRows | undefined;
  let saving: Promise<void> | undefined;
  let rest: NodeJS.Timeout | undefined;

  const save = async (): Promise<void> => {
    const rows = newest;
    newest = undefined;
    if (rows === undefined) return;
    try {
      await store.save(rows);
    } catch (error) {
      log.warn('snapshot could not be kept on disk', { reason: problemText(error) });
    }
  };
  const begin = (): void => {
    const startedAt = performance.now();
    saving = save().finally(() => {
      saving = undefined;
      const restMs = Math.min(longestRestMs, (performance.now() - startedAt) * restPerWrite);
      rest = setTimeout(() => {
        rest = undefined;
        if (newest !== undefined) begin();
      }, restMs).unref();
    });
  };

  return {
    keep(rows) {
      newest = rows;
      if (saving === undefined && rest === undefined) begin();
    },
    async [Symbol.asyncDispose]() {
      await saving;
      clearTimeout(rest);
      await save();
    },
  };
}
