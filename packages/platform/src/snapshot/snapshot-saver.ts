import { problemText } from '../errors/problem.ts';
import type { Logger } from '../log/logger.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** Characters that may be written in a millisecond, on the average, while changes go on. */
const charactersPerMs = 4_000;
const longestRestMs = 5_000;

/**
 * Keeps the newest rows on disk: at once after a quiet time, and then as often as their number allows, from every
 * fraction of a second for a small configuration to every few seconds for a large one.
 */
export interface SnapshotSaver<Rows> extends AsyncDisposable {
  keep(rows: Rows): void;
}

export function createSnapshotSaver<Rows>(store: Pick<SnapshotStore<Rows>, 'save'>, log: Logger): SnapshotSaver<Rows> {
  let newest: Rows | undefined;
  let saving: Promise<void> | undefined;
  let rest: NodeJS.Timeout | undefined;

  /** Answers how many characters it wrote. */
  const save = async (): Promise<number> => {
    const rows = newest;
    newest = undefined;
    if (rows === undefined) return 0;
    try {
      return await store.save(rows);
    } catch (error) {
      log.warn('snapshot could not be kept on disk', { reason: problemText(error) });
      return Infinity;
    }
  };
  const begin = (): void => {
    saving = save().then((characters) => {
      saving = undefined;
      rest = setTimeout(
        () => {
          rest = undefined;
          if (newest !== undefined) begin();
        },
        Math.min(longestRestMs, characters / charactersPerMs),
      ).unref();
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
