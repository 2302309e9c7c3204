import { problemText } from '@portcullis/platform/lifecycle/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { SnapshotRows } from './snapshot-rows.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** Keeps the newest rows on disk: at once after a quiet time, and at most every few seconds while changes go on. */
export interface SnapshotKeeper extends AsyncDisposable {
  keep(rows: SnapshotRows): void;
}

export function createSnapshotKeeper(store: SnapshotStore, log: Logger, restMs = 5_000): SnapshotKeeper {
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
    saving = save().finally(() => {
      saving = undefined;
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
