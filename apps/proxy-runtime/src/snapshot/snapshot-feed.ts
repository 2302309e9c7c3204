import { problemText } from '@portcullis/platform/lifecycle/problem';
import { runEvery } from '@portcullis/platform/lifecycle/run-every';
import type { Database } from '@portcullis/platform/database/database';
import type { Logger } from '@portcullis/platform/log/logger';
import type { SnapshotCompiler } from './compile-snapshot.ts';
import type { Snapshot } from './snapshot.ts';
import { loadSnapshotRows } from './load-snapshot-rows.ts';
import { createSnapshotSaver } from './snapshot-saver.ts';
import type { SnapshotRows } from './snapshot-rows.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** Keeps the current snapshot in step with the database. */
export interface SnapshotFeed extends AsyncDisposable {
  current(): Snapshot;
  /** Resolves with the first snapshot in force: from the database, else from disk. */
  start(): Promise<void>;
  /** Why the snapshot may be out of date; null while the database answers. */
  problem(): string | null;
}

export interface SnapshotFeedParts {
  readonly database: Database;
  readonly compiler: SnapshotCompiler;
  readonly store: SnapshotStore;
  readonly log: Logger;
  /** Called after each swap. */
  readonly onChange: (snapshot: Snapshot) => void;
}

/** A missed notice heals by this poll. */
const pollMs = 1_000;

const empty: Snapshot = {
  revision: 0,
  keysByHash: new Map(),
  groups: new Map(),
  groupsBySubject: new Map(),
  proxies: new Map(),
  behind: new Set(),
  budgets: { organization: undefined, resets: new Map() },
  pricing: { overrides: new Map(), blocksUnknown: false },
};

export function createSnapshotFeed({ database, compiler, store, log, onChange }: SnapshotFeedParts): SnapshotFeed {
  /** As the database has them; what was kept on disk may belong to another one by now. */
  let rows: SnapshotRows | undefined;
  let snapshot = empty;
  let failure: string | null = null;
  let running: Promise<void> | undefined;
  let again = false;
  let polls: AsyncDisposable | undefined;
  let unlisten: (() => Promise<void>) | undefined;
  const keeper = createSnapshotSaver(store, log);
  /** What the snapshot was compiled from. */
  let served: SnapshotRows | undefined;
  let catchingUp: Promise<void> | undefined;
  const end = new AbortController();

  const swapNow = async (next: SnapshotRows): Promise<void> => {
    await compiler.prepare(next);
    snapshot = compiler.compile(next);
    served = next;
    onChange(snapshot);
    catchingUp ??= catchUp().finally(() => {
      catchingUp = undefined;
    });
  };
  const swaps = createQueue();
  const swap = (loaded: SnapshotRows): Promise<void> => swaps(() => swapNow(loaded));

  /** Policies are compiled beside the changes that come meanwhile, and are in force with the newest of them. */
  const catchUp = async (): Promise<void> => {
    try {
      while (!end.signal.aborted && (await compiler.catchUp())) await swaps(async () => served && swapNow(served));
    } catch (error) {
      log.error('policies could not be brought into force', { reason: problemText(error) });
    }
  };

  const load = async (): Promise<void> => {
    const loaded = await loadSnapshotRows(database, rows);
    if (loaded === rows) return;
    await swap(loaded);
    rows = loaded;
    keeper.keep(loaded);
  };

  const refresh = async (): Promise<void> => {
    do {
      again = false;
      try {
        await load();
        if (failure !== null) log.info('configuration is up to date again');
        failure = null;
      } catch (error) {
        if (failure === null) log.warn('configuration cannot be refreshed', { reason: problemText(error) });
        failure = problemText(error);
      }
    } while (again);
  };

  /** One refresh at a time; a notice that comes meanwhile is answered by one more round. */
  const request = (): Promise<void> => {
    again = true;
    running ??= refresh().finally(() => {
      running = undefined;
    });
    return running;
  };

  return {
    current: () => snapshot,
    problem: () => (failure === null ? null : `may be out of date: ${failure}`),

    async start() {
      // What is on disk comes into force only when the database does not answer: it may be older.
      await request();
      if (rows === undefined) {
        const kept = await store.load();
        if (kept === undefined) log.warn('no configuration yet: the database is away and none is kept on disk');
        else await swap(kept);
      }
      await catchingUp;
      // A refresh tells of its failures itself.
      polls = runEvery(request, { intervalMs: pollMs, onFault: () => {}, later: true });
      void database
        .listen('config_changes', () => void request())
        .then(
          (stop) => {
            unlisten = stop;
          },
          (error: unknown) => log.warn('no change notices, polling only', { reason: problemText(error) }),
        );
    },

    async [Symbol.asyncDispose]() {
      await polls?.[Symbol.asyncDispose]();
      await unlisten?.();
      await running;
      end.abort();
      await catchingUp;
      await keeper[Symbol.asyncDispose]();
    },
  };
}

/** Runs one task after the other. */
function createQueue(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  };
}
