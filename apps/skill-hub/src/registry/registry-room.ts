import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql, type RawBuilder } from 'kysely';
import { strangerPrefix, type CallerShare } from '../caller-share.ts';
import { listContents, shownColumns } from './content-queries.ts';
import { updateSkill, type SkillRow } from './skill-queries.ts';

/** Any agent may add to the registry, so it has bounds. */
const maxSkills = 20_000;
const maxVersions = 1_000;
/** Of what strangers sent and no admin looked at: of one network, of all, of one name, and of one name and version. */
const maxOfShare = 300;
const maxOfStrangers = 5_000;
const maxOfName = 50;
const maxOfVersion = 20;
/** What gives way at once, for one submission that comes in. */
const maxGoing = 20;

const isUnseen = sql<boolean>`c.status = 'pending' and c.reviewed_at is null and c.submitted_by like ${`${strangerPrefix}%`}`;

/** Room for one more row: where there is none, what strangers sent first and no admin looked at goes. @throws {GatewayError} `conflict` */
export async function makeRoomOrThrow(transaction: Queryable, name: string): Promise<void> {
  const { skills, versions } = await transaction.kysely
    .selectFrom('skills')
    .select(({ fn }) => fn.countAll<number>().as('skills'))
    .select(({ fn }) => fn.countAll<number>().filterWhere('name', '=', name).as('versions'))
    .executeTakeFirstOrThrow();
  if (versions >= maxVersions && (await dropOldest(transaction, sql`s.name = ${name}`, 1)).length === 0) {
    throw full(`${maxVersions} versions of this skill`);
  }
  if (skills >= maxSkills && (await dropOldest(transaction, sql`true`, 1)).length === 0)
    throw full(`${maxSkills} skills`);
}

const full = (what: string) =>
  new GatewayError('conflict', {
    message: `The registry has ${what}, and takes no new ones until an admin deletes some`,
  });

/** Of what strangers sent and no admin looked at the oldest gives way: to their own share, then to that of all of them. */
export async function giveWay(transaction: Queryable, { id, name }: SkillRow, { key }: CallerShare): Promise<void> {
  const bounds: readonly (readonly [which: RawBuilder<unknown>, most: number])[] = [
    [sql`s.id = ${id}`, maxOfVersion],
    [sql`s.name = ${name}`, maxOfName],
    [sql`c.submitted_by = ${key}`, maxOfShare],
    [sql`true`, maxOfStrangers],
  ];
  // What came in now is not what gives way to it.
  const isOlder = sql`c.id <> (select max(newest.id) from skill_contents newest where newest.skill_id = ${id})`;
  for (const [which, most] of bounds) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count
      from skill_contents c join skills s on s.id = c.skill_id where ${isUnseen} and ${which}`.execute(
      transaction.kysely,
    );
    const over = (rows[0]?.count ?? 0) - most;
    if (over > 0) await dropOldest(transaction, sql`${which} and ${isOlder}`, Math.min(over, maxGoing));
  }
}

/**
 * Of what strangers sent and no admin looked at. Those that another submission holds are passed over: nobody waits here for anybody.
 * @param which of `c`, the contents, and `s`, the skills
 * @returns names and versions of what went
 */
export async function dropOldest(
  { kysely }: Queryable,
  which: RawBuilder<unknown>,
  most: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: number; skill_id: number; named: string }>`select c.id, c.skill_id,
    s.name || ' ' || s.version as named
    from skill_contents c join skills s on s.id = c.skill_id
    where ${isUnseen} and not s.built_in and ${which}
    order by c.submitted_at, c.id limit ${most} for update of s skip locked`.execute(kysely);
  for (const { id, skill_id: skillId } of rows) await dropContent({ kysely }, id, skillId);
  return rows.map(({ named }) => named);
}

/** A row of the registry of which nothing is left goes, too; one that is left shows what is approved of it, or came last. */
async function dropContent(transaction: Queryable, id: number, skillId: number): Promise<void> {
  const { kysely } = transaction;
  const contents = await listContents(transaction, skillId);
  const going = contents.find((content) => content.id === id);
  const rest = contents.filter((content) => content.id !== id);
  const next = rest.findLast(({ status }) => status === 'approved') ?? rest.at(-1);
  if (next === undefined) {
    await kysely.deleteFrom('skills').where('id', '=', skillId).execute();
    return;
  }
  await kysely.deleteFrom('skill_contents').where('id', '=', id).execute();
  const shown = await kysely.selectFrom('skills').selectAll().where('id', '=', skillId).executeTakeFirst();
  if (shown?.content_hash === going?.content_hash && shown?.tree_hash === going?.tree_hash) {
    await updateSkill(transaction, skillId, shownColumns(next));
  }
}
