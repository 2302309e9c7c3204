import type { Queryable } from '@portcullis/platform/database/database';
import { prepare } from '@portcullis/platform/database/prepared';
import { sql } from 'kysely';
import type { TaskOwner } from './stored-task.ts';

/** A message by the name that its caller gave it. */
export interface MessageKey {
  readonly agentId: number;
  readonly owner: TaskOwner;
  readonly messageId: string;
}

export interface KnownMessage {
  readonly fingerprint: string;
  /** Undefined while the agent works on it. */
  readonly taskId: string | undefined;
}

const insert = prepare<object>(
  'claim_agent_message',
  () => sql`
    insert into agent_messages (agent_id, owner, message_id, fingerprint)
    values (${undefined}, ${undefined}, ${undefined}, ${undefined})
    on conflict do nothing returning 1 as one`,
);

/** Takes a message for this process; false when another has come with the same name. */
export async function claimMessage(
  { kysely }: Queryable,
  { agentId, owner, messageId }: MessageKey,
  fingerprint: string,
): Promise<boolean> {
  const { rows } = await insert(kysely, agentId, owner, messageId, fingerprint);
  return rows.length > 0;
}

/** Forgets a message that nothing came of: it may be sent again. */
export async function forgetMessage({ kysely }: Queryable, { agentId, owner, messageId }: MessageKey): Promise<void> {
  await kysely
    .deleteFrom('agent_messages')
    .where('agent_id', '=', agentId)
    .where('owner', '=', owner)
    .where('message_id', '=', messageId)
    .where('task_id', 'is', null)
    .execute();
}

export async function findMessage(
  { kysely }: Queryable,
  { agentId, owner, messageId }: MessageKey,
): Promise<KnownMessage | undefined> {
  const row = await kysely
    .selectFrom('agent_messages')
    .select(['fingerprint', 'task_id'])
    .where('agent_id', '=', agentId)
    .where('owner', '=', owner)
    .where('message_id', '=', messageId)
    .executeTakeFirst();
  return row && { fingerprint: row.fingerprint, taskId: row.task_id ?? undefined };
}
