import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

/** Another holder, in this process or another, has the lock. */
export class FileLocked extends Error {
  constructor(path: string, cause: unknown) {
    super(`${path} is held by another process of the gateway`, { cause });
    this.name = 'FileLocked';
  }
}

const sqliteBusy = 5;

/** Keeps the locks of this process from the garbage collector, which would give them back. */
const heldLocks = new Set<DatabaseSync>();

/**
 * Takes the operating system's lock on a file, made when absent, until it is disposed or the
 * process ends, however it ends: there is no stale lock. Node has no call for it; SQLite, which it
 * carries, takes one for an exclusive transaction. The file stays empty.
 * @throws {FileLocked}
 */
export function lockFileOrThrow(path: string): Disposable {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec('pragma journal_mode = memory');
    lock.exec('begin exclusive');
  } catch (error) {
    lock?.close();
    const busy = Error.isError(error) && 'errcode' in error && error.errcode === sqliteBusy;
    throw busy ? new FileLocked(path, error) : error;
  }
  const held = lock;
  heldLocks.add(held);
  return {
    [Symbol.dispose]() {
      heldLocks.delete(held);
      held.close();
    },
  };
}

const lookEveryMs = 100;

/**
 * The same, waiting until its holder gives the lock back.
 * @param onWait told once when there is a holder to wait for
 * @throws {FileLocked} when that takes longer
 */
export async function lockFileWithin(path: string, waitMs: number, onWait = (): void => {}): Promise<Disposable> {
  const deadline = performance.now() + waitMs;
  for (let hasCalled = false; ; hasCalled = true) {
    try {
      return lockFileOrThrow(path);
    } catch (error) {
      if (!(error instanceof FileLocked) || performance.now() >= deadline) throw error;
      if (!hasCalled) onWait();
      await pause(lookEveryMs);
    }
  }
}
