import type { Message } from '@portcullis/core/a2a/task';
import type { Database } from '@portcullis/platform/database/database';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery, type Repeated } from '@portcullis/platform/event-loop/run-every';
import type { Logger } from '@portcullis/platform/log/logger';
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';

interface SilentTask {
  readonly id: string;
  readonly agent_id: number;
  readonly upstream_id: string | null;
}

export interface SilentTaskParts {
  readonly database: Database;
  readonly log: Logger;
  /** A task that is open and did not change for so long has failed. */
  readonly silentMs: number;
  /** Tells the agent that it need not go on. */
  readonly cancel: (agentId: number, upstreamId: string) => Promise<void>;
}

const batchSize = 100;
/** Agents whose tasks are cancelled beside each other: one that hangs keeps others waiting for seconds. */
const concurrency = 10;
const maxIntervalMs = 60_000;

/** Ends tasks about which nothing was heard for long, again and again. Any number of processes may do this. */
export const startFailingSilentTasks = (parts: SilentTaskParts): Repeated =>
  runEvery(async () => void (await failSilentTasks(parts)), {
    intervalMs: Math.min(maxIntervalMs, Math.ceil(parts.silentMs / 4)),
    onFault: (error) =>
      void parts.log.warn('Silent tasks of agents could not be ended', { reason: problemText(error) }),
  });

/** One turn of it; answers how many tasks have failed. The failure of a task is durable before its agent hears of it. */
export async function failSilentTasks({ database, log, silentMs, cancel }: SilentTaskParts): Promise<number> {
  for (let failed = 0; ;) {
    const tasks = await takeSilentTasks(database, silentMs);
    failed += tasks.length;
    if (tasks.length > 0) log.info('Tasks failed: their agents were silent for too long', { tasks: tasks.length });
    for (let first = 0; first < tasks.length; first += concurrency) {
      const cancellations = tasks
        .slice(first, first + concurrency)
        .map(async ({ agent_id: agentId, upstream_id: upstreamId }) => {
          if (upstreamId !== null) await cancel(agentId, upstreamId).catch(() => undefined);
        });
      await Promise.all(cancellations);
    }
    if (tasks.length < batchSize) return failed;
  }
}

async function takeSilentTasks({ kysely }: Database, silentMs: number): Promise<readonly SilentTask[]> {
  const now = new Date();
  const message: Message = {
    messageId: randomUUID(),
    role: 'ROLE_AGENT',
    parts: [{ text: `The agent was silent for more than ${Math.round(silentMs / 1_000)} seconds` }],
    metadata: { reason: 'agent_silent' },
  };
  const state = 'TASK_STATE_FAILED';
  const status = JSON.stringify({ state, message, timestamp: now.toISOString() });
  const { rows } = await sql<SilentTask>`
    update agent_tasks
    set state = ${state}, ended = true, changed_at = ${now}, task = jsonb_set(task, '{status}', ${status}::jsonb)
    where id in (
      select id from agent_tasks
      where not ended and changed_at < ${new Date(now.getTime() - silentMs)}
      order by changed_at limit ${batchSize} for update skip locked)
    returning id, agent_id, upstream_id`.execute(kysely);
  return rows;
}
