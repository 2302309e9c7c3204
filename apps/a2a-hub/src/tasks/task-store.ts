import { LruMap } from '@portcullis/core/collections/lru-map';
import type { Database } from '@portcullis/platform/database/database';
import { BatchedStatement } from '@portcullis/platform/database/batched-statement';
import { DatabaseUnavailable } from '@portcullis/platform/database/database-unavailable';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { OpenClaims } from './open-claims.ts';
import { OpenTaskCounts } from './open-task-counts.ts';
import {
  claimMessages,
  findMessage,
  forgetMessage,
  renewClaims,
  type KnownMessage,
  type MessageClaim,
  type MessageKey,
} from './message-queries.ts';
import type { StoredTask, TaskOwner } from './stored-task.ts';
import {
  countOpenTasks,
  findContext,
  findOpenByUpstream,
  findTask,
  findUpstreamIds,
  loadTaskPage,
  saveAbandoned,
  saveTasks,
  type TaskFilter,
  type TaskPlace,
  type TaskSave,
  type UpstreamKey,
} from './task-queries.ts';

/** Tasks that this process remembers beside the database, for while that is away. */
const maxRecent = 1_000;

export interface TaskStoreParts {
  readonly database: Database;
  /** Takes a task while the database is away; it is there when the database is back. */
  readonly keep: (task: StoredTask) => void;
}

/**
 * The tasks of all agents. The database has them; while it is away agents are called all the same, what comes of it is
 * kept on disk until the database takes it, and this process knows what it has seen itself.
 */
export class TaskStore implements AsyncDisposable {
  readonly #database: Database;
  readonly #keep: TaskStoreParts['keep'];
  readonly #recent = new LruMap<StoredTask>(maxRecent);
  readonly #saves: BatchedStatement<TaskSave, undefined>;
  readonly #upstream: BatchedStatement<UpstreamKey, StoredTask | undefined>;
  readonly #claim: BatchedStatement<MessageClaim, boolean>;
  readonly #counts: OpenTaskCounts;
  readonly #claims: OpenClaims;

  constructor({ database, keep }: TaskStoreParts) {
    this.#database = database;
    this.#keep = keep;
    this.#saves = new BatchedStatement(async (saves) => {
      await saveTasks(database, saves);
      return saves.map(() => undefined);
    });
    this.#upstream = new BatchedStatement((keys) => findOpenByUpstream(database, keys));
    this.#claim = new BatchedStatement((claims) => claimMessages(database, claims));
    const open = new BatchedStatement<TaskOwner, number>((owners) => countOpenTasks(database, owners));
    this.#counts = new OpenTaskCounts({
      count: (owner) =>
        this.#unlessAway(
          () => open.ask(owner),
          () => 0,
        ),
    });
    this.#claims = new OpenClaims({ renew: (keys) => renewClaims(database, keys) });
  }

  /** @param owner undefined for an admin, who sees the tasks of all @throws {DatabaseUnavailable} */
  async find(agentId: number, owner: TaskOwner | undefined, id: string): Promise<StoredTask | undefined> {
    return this.#unlessAway(
      () => findTask(this.#database, agentId, owner, id),
      (error) => {
        const known = this.#recent.use(id)?.value;
        if (known === undefined) throw error;
        return known.agentId === agentId && (owner === undefined || known.owner === owner) ? known : undefined;
      },
    );
  }

  findOpenByUpstream(agentId: number, upstreamId: string): Promise<StoredTask | undefined> {
    return this.#unlessAway(
      () => this.#upstream.ask({ agentId, upstreamId }),
      () => undefined,
    );
  }

  /** @throws {DatabaseUnavailable} */
  findContext(agentId: number, owner: TaskOwner, contextId: string) {
    return findContext(this.#database, agentId, owner, contextId);
  }

  /** @throws {DatabaseUnavailable} */
  findUpstreamIds(agentId: number, owner: TaskOwner, ids: readonly string[]) {
    return findUpstreamIds(this.#database, agentId, owner, ids);
  }

  /**
   * What was saved here is there, or on its way, when the promise resolves.
   * @param message of which the task came, the first time
   */
  async save(task: StoredTask, message?: MessageKey): Promise<void> {
    this.#recent.set(task.task.id, task);
    await this.#unlessAway(
      () => this.#saves.ask({ stored: task, message }),
      () => this.#keep(task),
    );
  }

  /** @throws {DatabaseUnavailable} */
  list(
    agentId: number,
    owner: TaskOwner | undefined,
    filter: TaskFilter,
    page: { readonly behind?: TaskPlace | undefined; readonly limit: number },
  ) {
    return readConsistent(this.#database, (moment) => loadTaskPage(moment, agentId, owner, filter, page));
  }

  /** Whether an owner has room for one more open task; while the database is away each has. */
  mayBegin(owner: TaskOwner, maxOpen: number): Promise<boolean> {
    return this.#counts.mayBegin(owner, maxOpen);
  }

  /**
   * Whether this is the first message of its name. While the database is away each is. It stays claimed until it is
   * released, or this process ends.
   */
  async claimMessage(key: MessageKey, fingerprint: string): Promise<boolean> {
    const isFirst = await this.#unlessAway(
      () => this.#claim.ask({ ...key, fingerprint }),
      () => true,
    );
    if (isFirst) this.#claims.add(key);
    return isFirst;
  }

  /** It is settled what came of a message. */
  releaseMessage(key: MessageKey): void {
    this.#claims.delete(key);
  }

  /** Keeps what is told of a message whose hub has ended; false when something is known of it by now. */
  saveAbandoned(task: StoredTask, message: MessageKey): Promise<boolean> {
    return saveAbandoned(this.#database, { stored: task, message });
  }

  findMessage(key: MessageKey): Promise<KnownMessage | undefined> {
    return findMessage(this.#database, key);
  }

  forgetMessage(key: MessageKey): Promise<void> {
    return this.#unlessAway(
      () => forgetMessage(this.#database, key),
      () => undefined,
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#claims[Symbol.asyncDispose]();
  }

  async #unlessAway<Value>(ask: () => Promise<Value>, away: (error: DatabaseUnavailable) => Value): Promise<Value> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return away(error);
      throw error;
    }
  }
}
