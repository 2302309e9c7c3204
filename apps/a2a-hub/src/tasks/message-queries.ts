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
  /** Undefined while nothing is known of what came of it. */
  readonly taskId: string | undefined;
  /** The hub that worked on it has ended. */
  readonly isAbandoned: boolean;
}

export interface MessageClaim extends MessageKey {
  readonly fingerprint: string;
}

/** How long a claim lasts that is not renewed. */
const lease = sql`interval '20 seconds'`;

const insert = prepare<{ agent_id: number; owner: string; message_id: string }>(
  'claim_agent_messages',
  () => sql`
    insert into agent_messages (agent_id, owner, message_id, fingerprint, claimed_until)
    select agent_id, owner, message_id, fingerprint, now() + ${lease}
    from json_to_recordset(${undefined}::json) as given(agent_id integer, owner text, message_id text, fingerprint text)
    on conflict do nothing returning agent_id, owner, message_id`,
);

/** What messages are told apart by. */
export const nameOf = ({ agentId, owner, messageId }: MessageKey): string => `${agentId} ${owner} ${messageId}`;

const rowOf = ({ agentId, owner, messageId }: MessageKey) => ({
  agent_id: agentId,
  owner,
  message_id: messageId,
});

/** Takes messages for this process; false for one of a name that is taken. */
export async function claimMessages(
  { kysely }: Queryable,
  claims: readonly MessageClaim[],
): Promise<readonly boolean[]> {
  const given = claims.map((claim) => ({ ...rowOf(claim), fingerprint: claim.fingerprint }));
  const { rows } = await insert(kysely, JSON.stringify(given));
  const taken = new Set(
    rows.map((row) => nameOf({ agentId: row.agent_id, owner: row.owner as TaskOwner, messageId: row.message_id })),
  );
  // Of several with one name the first has it.
  return claims.map((claim) => taken.delete(nameOf(claim)));
}

const renew = prepare(
  'renew_agent_messages',
  () => sql`
    update agent_messages as known set claimed_until = now() + ${lease}
    from json_to_recordset(${undefined}::json) as given(agent_id integer, owner text, message_id text)
    where known.agent_id = given.agent_id and known.owner = given.owner and known.message_id = given.message_id
      and known.task_id is null`,
);

/** Says that messages are still being worked on. */
export async function renewClaims({ kysely }: Queryable, keys: readonly MessageKey[]): Promise<void> {
  if (keys.length > 0) await renew(kysely, JSON.stringify(keys.map(rowOf)));
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
    .select(sql<boolean>`task_id is null and coalesce(claimed_until < now(), false)`.as('is_abandoned'))
    .where('agent_id', '=', agentId)
    .where('owner', '=', owner)
    .where('message_id', '=', messageId)
    .executeTakeFirst();
  return row && { fingerprint: row.fingerprint, taskId: row.task_id ?? undefined, isAbandoned: row.is_abandoned };
}
