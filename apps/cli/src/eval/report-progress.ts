import type { CommandIo } from '../command.ts';

const linesEvery = 10;

/** A bar that is drawn anew on a terminal, and a line now and then elsewhere. */
export function reportProgress(total: number, io: CommandIo): (done: number, failed: number) => void {
  let reported = 0;
  return (done, failed) => {
    const text = `${done} of ${total} cases, ${failed} failed`;
    if (io.progress !== undefined) {
      const filled = Math.round((20 * done) / Math.max(1, total));
      io.progress(`[${'#'.repeat(filled)}${'.'.repeat(20 - filled)}] ${text}`);
    } else if (
      done > reported &&
      (Math.floor(done / linesEvery) > Math.floor(reported / linesEvery) || done === total)
    ) {
      reported = done;
      io.warn(`${text}\n`);
    }
  };
}
