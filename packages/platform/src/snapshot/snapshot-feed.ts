import { problemText } from '../lifecycle/problem.ts';
import { runEvery } from '../lifecycle/run-every.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../log/logger.ts';
import { loadRows } from './load-rows.ts';
import { createSnapshotSaver } from './snapshot-saver.ts';
import type { SnapshotRows, SnapshotSources } from './snapshot-source.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** Compiles rows into snapshots, reusing every part whose rows are the same as last time. */
export interface SnapshotCompiler<Rows, Snapshot> {
  /** Does what takes long of the same `compile`, in slices that requests under way do not feel. */
  prepare(rows: Rows): Promise<void>;
  compile(rows: Rows): Snapshot;
  /** Makes what the last snapshot had to do without, such as the plans of policies. False when there is nothing. */
  catchUp(): Promise<boolean>;
}

/** Keeps the current snapshot of a data plane in step with the database. */
export interface SnapshotFeed<Snapshot> extends AsyncDisposable {
  current(): Snapshot;
  /** Resolves with the first snapshot in force: from the database, else from disk. */
  start(): Promise<void>;
  /** Why the snapshot may be out of date; null while the database answers. */
  problem(): string | null;
}

export interface SnapshotFeedParts<Named, Snapshot> {
  readonly database: Database;
  readonly sources: SnapshotSources<Named>;
  readonly compiler: SnapshotCompiler<SnapshotRows<Named>, Snapshot>;
  readonly store: SnapshotStore<SnapshotRows<Named>>;
  /** In force until the first one is loaded. */
  readonly empty: Snapshot;
  readonly log: Logger;
  /** Called after each swap. */
  readonly onChange: (snapshot: Snapshot) => void;
}

/** A missed notice heals by this poll. */
const pollMs = 1_000;

export function createSnapshotFeed<Named, Snapshot>({
  database,
  sources,
  compiler,
  store,
  empty,
  log,
  onChange,
}: SnapshotFeedParts<Named, Snapshot>): SnapshotFeed<Snapshot> {
  /** As the database has them; what was kept on disk may belong to another one by now. */
  let rows: SnapshotRows<Named> | undefined;
  let snapshot = empty;
  let failure: string | null = null;
  let running: Promise<void> | undefined;
  let again = false;
  let polls: AsyncDisposable | undefined;
  let unlisten: (() => Promise<void>) | undefined;
  const keeper = createSnapshotSaver(store, log);
  /** What the snapshot was compiled from. */
  let served: SnapshotRows<Named> | undefined;
  let catchingUp: Promise<void> | undefined;
  const end = new AbortController();

  const swapNow = async (next: SnapshotRows<Named>): Promise<void> => {
    await compiler.prepare(next);
    snapshot = compiler.compile(next);
    served = next;
    onChange(snapshot);
    catchingUp ??= catchUp().finally(() => {
      catchingUp = undefined;
    });
  };
  const swaps = createQueue();
  const swap = (loaded: SnapshotRows<Named>): Promise<void> => swaps(() => swapNow(loaded));

  /** Policies are compiled beside the changes that come meanwhile, and are in force with the newest of them. */
  const catchUp = async (): Promise<void> => {
    try {
      while (!end.signal.aborted && (await compiler.catchUp())) await swaps(async () => served && swapNow(served));
    } catch (error) {
      log.error('policies could not be brought into force', { reason: problemText(error) });
    }
  };

  const load = async (): Promise<void> => {
    const loaded = await loadRows(database, sources, rows);
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
