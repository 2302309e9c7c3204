import { problemText } from '../errors/problem.ts';
import { runEvery } from '../event-loop/run-every.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../log/logger.ts';
import { loadRows } from './load-rows.ts';
import type { SnapshotCompiler } from './snapshot-compiler.ts';
import { createSnapshotSaver, type SnapshotSaver } from './snapshot-saver.ts';
import type { SnapshotRows, SnapshotSources } from './snapshot-source.ts';
import type { SnapshotStore } from './snapshot-store.ts';
import { SnapshotSwaps } from './snapshot-swaps.ts';

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

export function createSnapshotFeed<Named, Snapshot>(parts: SnapshotFeedParts<Named, Snapshot>): SnapshotFeed<Snapshot> {
  return new DatabaseFeed(parts);
}

class DatabaseFeed<Named, Snapshot> implements SnapshotFeed<Snapshot> {
  readonly #parts: SnapshotFeedParts<Named, Snapshot>;
  readonly #swaps: SnapshotSwaps<SnapshotRows<Named>, Snapshot>;
  readonly #saver: SnapshotSaver<SnapshotRows<Named>>;
  /** As the database has them; what was kept on disk may belong to another one by now. */
  #rows: SnapshotRows<Named> | undefined;
  #failure: string | null = null;
  #running: Promise<void> | undefined;
  #again = false;
  #polls: AsyncDisposable | undefined;
  #unlisten: (() => Promise<void>) | undefined;

  constructor(parts: SnapshotFeedParts<Named, Snapshot>) {
    this.#parts = parts;
    this.#swaps = new SnapshotSwaps(parts);
    this.#saver = createSnapshotSaver(parts.store, parts.log);
  }

  current(): Snapshot {
    return this.#swaps.current;
  }

  problem(): string | null {
    return this.#failure === null ? null : `may be out of date: ${this.#failure}`;
  }

  async start(): Promise<void> {
    const { database, log } = this.#parts;
    // What is on disk comes into force only when the database does not answer: it may be older.
    await this.#request();
    if (this.#rows === undefined) await this.#takeKept();
    await this.#swaps.caughtUp();
    // A refresh tells of its failures itself.
    this.#polls = runEvery(() => this.#request(), { intervalMs: pollMs, onFault: () => {}, later: true });
    void database
      .listen('config_changes', () => void this.#request())
      .then(
        (stop) => {
          this.#unlisten = stop;
        },
        (error: unknown) => log.warn('no change notices, polling only', { reason: problemText(error) }),
      );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#polls?.[Symbol.asyncDispose]();
    await this.#unlisten?.();
    await this.#running;
    await this.#swaps[Symbol.asyncDispose]();
    await this.#saver[Symbol.asyncDispose]();
  }

  async #takeKept(): Promise<void> {
    const { store, log } = this.#parts;
    const kept = await store.load();
    if (kept === undefined) log.warn('no configuration yet: the database is away and none is kept on disk');
    else await this.#swaps.swap(kept);
  }

  /** One refresh at a time; a notice that comes meanwhile is answered by one more round. */
  #request(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#refresh().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #refresh(): Promise<void> {
    const { log } = this.#parts;
    do {
      this.#again = false;
      try {
        await this.#load();
        if (this.#failure !== null) log.info('configuration is up to date again');
        this.#failure = null;
      } catch (error) {
        const reason = problemText(error);
        if (this.#failure === null) log.warn('configuration cannot be refreshed', { reason });
        this.#failure = reason;
      }
    } while (this.#again);
  }

  async #load(): Promise<void> {
    const { database, sources } = this.#parts;
    const loaded = await loadRows(database, sources, this.#rows);
    if (loaded === this.#rows) return;
    await this.#swaps.swap(loaded);
    this.#rows = loaded;
    this.#saver.keep(loaded);
  }
}
