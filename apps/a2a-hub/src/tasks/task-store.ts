import { LruMap } from '@portcullis/core/collections/lru-map';
import type { Database } from '@portcullis/platform/database/database';
import { DatabaseUnavailable } from '@portcullis/platform/database/database-unavailable';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { claimMessage, findMessage, forgetMessage, type KnownMessage, type MessageKey } from './message-queries.ts';
import type { StoredTask, TaskOwner } from './stored-task.ts';
import {
  countOpenTasks,
  findContext,
  findOpenByUpstream,
  findTask,
  findUpstreamIds,
  loadTaskPage,
  saveTask,
  type TaskFilter,
  type TaskPlace,
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
export class TaskStore {
  readonly #database: Database;
  readonly #keep: TaskStoreParts['keep'];
  readonly #recent = new LruMap<StoredTask>();

  constructor({ database, keep }: TaskStoreParts) {
    this.#database = database;
    this.#keep = keep;
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
      () => findOpenByUpstream(this.#database, agentId, upstreamId),
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
    const known = this.#recent.use(task.task.id);
    if (known === undefined) this.#recent.add(task.task.id, task);
    else known.value = task;
    const { oldest } = this.#recent;
    if (this.#recent.size > maxRecent && oldest !== undefined) this.#recent.delete(oldest.key);
    await this.#unlessAway(
      () => saveTask(this.#database, task, message),
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

  countOpen(owner: TaskOwner): Promise<number> {
    return this.#unlessAway(
      () => countOpenTasks(this.#database, owner),
      () => 0,
    );
  }

  /** Whether this is the first message of its name. While the database is away each is. */
  claimMessage(key: MessageKey, fingerprint: string): Promise<boolean> {
    return this.#unlessAway(
      () => claimMessage(this.#database, key, fingerprint),
      () => true,
    );
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

  async #unlessAway<Value>(ask: () => Promise<Value>, away: (error: DatabaseUnavailable) => Value): Promise<Value> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return away(error);
      throw error;
    }
  }
}
