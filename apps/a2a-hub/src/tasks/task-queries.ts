import type { TaskState } from '@portcullis/core/a2a/task-state';
import { isTerminal } from '@portcullis/core/a2a/task-state';
import type { Queryable } from '@portcullis/platform/database/database';
import { prepare } from '@portcullis/platform/database/prepared';
import type { AgentTasksTable } from '@portcullis/platform/database/tables';
import { sql, type Selectable } from 'kysely';
import type { MessageKey } from './message-queries.ts';
import type { StoredTask, TaskOwner } from './stored-task.ts';

const storedOf = (row: Selectable<AgentTasksTable>): StoredTask => ({
  agentId: row.agent_id,
  owner: row.owner as TaskOwner,
  task: row.task as unknown as StoredTask['task'],
  upstreamId: row.upstream_id ?? undefined,
  upstreamContextId: row.upstream_context_id ?? undefined,
  changedAt: row.changed_at,
});

/** @param owner undefined for an admin, who sees the tasks of all */
export async function findTask(
  { kysely }: Queryable,
  agentId: number,
  owner: TaskOwner | undefined,
  id: string,
): Promise<StoredTask | undefined> {
  const row = await kysely
    .selectFrom('agent_tasks')
    .selectAll()
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .$if(owner !== undefined, (query) => query.where('owner', '=', owner as string))
    .executeTakeFirst();
  return row && storedOf(row);
}

const selectUpstream = prepare<Selectable<AgentTasksTable>>(
  'find_upstream_task',
  () => sql`
    select * from agent_tasks where agent_id = ${undefined} and upstream_id = ${undefined} and not ended
    order by changed_at desc limit 1`,
);

/** The open task that an agent calls so, of any owner. */
export async function findOpenByUpstream(
  { kysely }: Queryable,
  agentId: number,
  upstreamId: string,
): Promise<StoredTask | undefined> {
  const { rows } = await selectUpstream(kysely, agentId, upstreamId);
  return rows[0] && storedOf(rows[0]);
}

/** What the agent calls a context of this owner; undefined where the owner has no such context. */
export async function findContext(
  { kysely }: Queryable,
  agentId: number,
  owner: TaskOwner,
  contextId: string,
): Promise<{ readonly upstreamContextId: string | undefined } | undefined> {
  const row = await kysely
    .selectFrom('agent_tasks')
    .select('upstream_context_id')
    .where('context_id', '=', contextId)
    .where('agent_id', '=', agentId)
    .where('owner', '=', owner)
    .orderBy('upstream_context_id', (order) => order.asc().nullsLast())
    .limit(1)
    .executeTakeFirst();
  return row && { upstreamContextId: row.upstream_context_id ?? undefined };
}

/** Of a message's references, those that are tasks of this owner. */
export async function findUpstreamIds(
  { kysely }: Queryable,
  agentId: number,
  owner: TaskOwner,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const rows = await kysely
    .selectFrom('agent_tasks')
    .select(['id', 'upstream_id'])
    .where('id', 'in', [...ids])
    .where('agent_id', '=', agentId)
    .where('owner', '=', owner)
    .execute();
  return new Map(rows.map((row) => [row.id, row.upstream_id ?? undefined]));
}

const writeTask = () => sql`
    insert into agent_tasks as known (id, agent_id, owner, context_id, upstream_id, upstream_context_id, state, ended,
      changed_at, task)
    values (${undefined}, ${undefined}, ${undefined}, ${undefined}, ${undefined}, ${undefined}, ${undefined},
      ${undefined}, ${undefined}, ${undefined})
    on conflict (id) do update set
      upstream_id = excluded.upstream_id,
      upstream_context_id = excluded.upstream_context_id,
      state = excluded.state,
      ended = excluded.ended,
      changed_at = excluded.changed_at,
      task = excluded.task
    where known.owner = excluded.owner and (not known.ended or known.state = excluded.state)`;

const upsert = prepare('save_agent_task', writeTask);

const upsertFirst = prepare(
  'save_first_agent_task',
  () => sql`
    with saved as (${writeTask()})
    update agent_messages set task_id = ${undefined}
    where agent_id = ${undefined} and owner = ${undefined} and message_id = ${undefined}`,
);

/**
 * Keeps a task as it is now. What has ended stays as it ended: a late save of an older state changes nothing.
 * @param message of which it came, the first time
 */
export async function saveTask({ kysely }: Queryable, stored: StoredTask, message?: MessageKey): Promise<void> {
  const { agentId, owner, task, upstreamId = null, upstreamContextId = null, changedAt } = stored;
  const { state } = task.status;
  const ids = [task.id, agentId, owner, task.contextId, upstreamId, upstreamContextId];
  const row = [...ids, state, isTerminal(state), changedAt, JSON.stringify(task)];
  if (message === undefined) await upsert(kysely, ...row);
  else await upsertFirst(kysely, ...row, task.id, message.agentId, message.owner, message.messageId);
}

export interface TaskFilter {
  readonly contextId?: string | undefined;
  readonly state?: TaskState | undefined;
  readonly changedAfter?: Date | undefined;
}

/** Behind which task a page begins. */
export interface TaskPlace {
  readonly changedAt: Date;
  readonly id: string;
}

/** A page of tasks, those that changed last first, and how many there are in all. */
export async function loadTaskPage(
  { kysely }: Queryable,
  agentId: number,
  owner: TaskOwner | undefined,
  { contextId, state, changedAfter }: TaskFilter,
  { behind, limit }: { readonly behind?: TaskPlace | undefined; readonly limit: number },
): Promise<{ readonly tasks: StoredTask[]; readonly total: number }> {
  const matching = kysely
    .selectFrom('agent_tasks')
    .where('agent_id', '=', agentId)
    .$if(owner !== undefined, (query) => query.where('owner', '=', owner as string))
    .$if(contextId !== undefined, (query) => query.where('context_id', '=', contextId as string))
    .$if(state !== undefined, (query) => query.where('state', '=', state as string))
    .$if(changedAfter !== undefined, (query) => query.where('changed_at', '>=', changedAfter as Date));
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await matching
    .selectAll()
    .$if(behind !== undefined, (query) =>
      query.where(sql<boolean>`(changed_at, id) < (${behind?.changedAt}, ${behind?.id})`),
    )
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return { tasks: rows.map(storedOf), total };
}

const countOpen = prepare<{ open: number }>(
  'count_open_agent_tasks',
  () => sql`select count(*)::integer as open from agent_tasks where owner = ${undefined} and not ended`,
);

/** Tasks of an owner, at all agents, that have not ended. */
export async function countOpenTasks({ kysely }: Queryable, owner: TaskOwner): Promise<number> {
  const { rows } = await countOpen(kysely, owner);
  return rows[0]?.open ?? 0;
}
