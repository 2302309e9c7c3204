import type { TaskState } from '@portcullis/core/a2a/task-state';
import { isTerminal } from '@portcullis/core/a2a/task-state';
import type { Queryable } from '@portcullis/platform/database/database';
import { prepare } from '@portcullis/platform/database/prepared';
import type { AgentTasksTable } from '@portcullis/platform/database/tables';
import { countRows, whereEqual } from '@portcullis/platform/database/list-queries';
import { sql, type RawBuilder, type Selectable } from 'kysely';
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

/** A task as its agent calls it. */
export interface UpstreamKey {
  readonly agentId: number;
  readonly upstreamId: string;
}

const selectUpstream = prepare<Selectable<AgentTasksTable> & { readonly place: number }>(
  'find_upstream_tasks',
  () => sql`
    select given.place, open_task.*
    from unnest(${undefined}::integer[], ${undefined}::text[]) with ordinality as given(agent_id, upstream_id, place)
    cross join lateral (
      select * from agent_tasks as task
      where task.agent_id = given.agent_id and task.upstream_id = given.upstream_id and not task.ended
      order by task.changed_at desc limit 1) as open_task`,
);

/** The open tasks that agents call so, of any owner. */
export async function findOpenByUpstream(
  { kysely }: Queryable,
  keys: readonly UpstreamKey[],
): Promise<readonly (StoredTask | undefined)[]> {
  const [agentIds, upstreamIds] = [keys.map(({ agentId }) => agentId), keys.map(({ upstreamId }) => upstreamId)];
  const { rows } = await selectUpstream(kysely, agentIds, upstreamIds);
  const found = new Map(rows.map((row) => [row.place, storedOf(row)]));
  return keys.map((_, index) => found.get(index + 1));
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

const given = sql`json_to_recordset(${undefined}::json) as given(id text, agent_id integer, owner text, context_id text,
  upstream_id text, upstream_context_id text, state text, ended boolean, changed_at timestamptz, task jsonb, message_id text)`;

/** None for an agent that was deleted: its tasks went with it. */
const writeTasks = (source: RawBuilder<unknown>) => sql`
    insert into agent_tasks as known (id, agent_id, owner, context_id, upstream_id, upstream_context_id, state, ended,
      changed_at, task)
    select id, agent_id, owner, context_id, upstream_id, upstream_context_id, state, ended, changed_at, task
    from ${source} where exists (select from agents where agents.id = given.agent_id)
    on conflict (id) do update set
      upstream_id = excluded.upstream_id,
      upstream_context_id = excluded.upstream_context_id,
      state = excluded.state,
      ended = excluded.ended,
      changed_at = excluded.changed_at,
      task = excluded.task
    where known.owner = excluded.owner and (not known.ended or known.state = excluded.state)`;

const upsert = prepare('save_agent_tasks_now', () => writeTasks(given));

const upsertFirst = prepare(
  'save_first_agent_tasks',
  () => sql`
    with given as materialized (select * from ${given}), saved as (${writeTasks(sql`given`)})
    update agent_messages as message set task_id = given.id from given
    where message.agent_id = given.agent_id and message.owner = given.owner and message.message_id = given.message_id`,
);

/** A task as it is to be kept. */
export interface TaskSave {
  readonly stored: StoredTask;
  /** Of which it came, the first time. */
  readonly message?: MessageKey | undefined;
}

/**
 * Keeps tasks as they are now. What has ended stays as it ended: a late save of an older state changes nothing.
 * @param saves in the order in which they came about
 */
export async function saveTasks({ kysely }: Queryable, saves: readonly TaskSave[]): Promise<void> {
  const latest = new Map<string, TaskSave>();
  for (const save of saves) {
    const { id } = save.stored.task;
    const before = latest.get(id);
    latest.set(id, before === undefined ? save : laterOf(before, save));
  }
  const kept = [...latest.values()];
  const rows = JSON.stringify(kept.map(rowOf));
  if (kept.some(({ message }) => message !== undefined)) await upsertFirst(kysely, rows);
  else await upsert(kysely, rows);
}

/** Two saves of one task as one, as the second would be taken behind the first. */
function laterOf(before: TaskSave, save: TaskSave): TaskSave {
  const [old, { stored }] = [before.stored, save];
  const message = save.message ?? before.message;
  const isRefused = old.owner !== stored.owner || (hasEnded(old) && old.task.status.state !== stored.task.status.state);
  return isRefused ? { ...before, message } : { stored, message };
}

const hasEnded = ({ task }: StoredTask): boolean => isTerminal(task.status.state);

const rowOf = ({ stored, message }: TaskSave) => ({
  id: stored.task.id,
  agent_id: stored.agentId,
  owner: stored.owner,
  context_id: stored.task.contextId,
  upstream_id: stored.upstreamId,
  upstream_context_id: stored.upstreamContextId,
  state: stored.task.status.state,
  ended: hasEnded(stored),
  changed_at: stored.changedAt,
  task: stored.task,
  message_id: message?.messageId,
});

const insertAbandoned = prepare<object>(
  'save_abandoned_agent_task',
  () => sql`
    with given as materialized (select * from ${given}),
    taken as (
      update agent_messages as message set task_id = given.id from given
      where message.agent_id = given.agent_id and message.owner = given.owner and message.message_id = given.message_id
        and message.task_id is null and message.claimed_until < now()
      returning 1),
    saved as (${writeTasks(sql`(select given.* from given, taken) as given`)})
    select 1 as one from taken`,
);

/** Keeps what is told of a message whose hub has ended; false when something is known of it by now. */
export async function saveAbandoned({ kysely }: Queryable, save: TaskSave): Promise<boolean> {
  const { rows } = await insertAbandoned(kysely, JSON.stringify([rowOf(save)]));
  return rows.length > 0;
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
  const wanted = { agent_id: agentId, owner, context_id: contextId, state };
  const matching = whereEqual(kysely.selectFrom('agent_tasks'), wanted).$if(changedAfter !== undefined, (query) =>
    query.where('changed_at', '>=', changedAfter as Date),
  );
  const total = await countRows(matching);
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

const countOpen = prepare<{ readonly owner: string; readonly open: number }>(
  'count_open_agent_tasks',
  () => sql`
    select owner, count(*)::integer as open from agent_tasks where owner = any(${undefined}::text[]) and not ended
    group by owner`,
);

/** Tasks of owners, at all agents, that have not ended. */
export async function countOpenTasks({ kysely }: Queryable, owners: readonly TaskOwner[]): Promise<readonly number[]> {
  const { rows } = await countOpen(kysely, [...new Set(owners)]);
  const found = new Map(rows.map(({ owner, open }) => [owner, open]));
  return owners.map((owner) => found.get(owner) ?? 0);
}
