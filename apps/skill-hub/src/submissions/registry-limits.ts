import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql, type RawBuilder } from 'kysely';
import { anonymousPrefix, type CallerQuota } from '../caller-quota.ts';
import { listContents, shownColumns } from '@portcullis/platform/skills/content-queries';
import { updateSkill, type SkillRow } from '@portcullis/platform/skills/skill-queries';

/** Any agent may add to the registry, so it has bounds. */
const maxSkills = 20_000;
const maxVersions = 1_000;
/** Of anonymous, unreviewed contents: of one network, of all, of one name, and of one name and version. */
const maxOfCaller = 300;
const maxAnonymous = 5_000;
const maxOfName = 50;
const maxOfVersion = 20;
/** Contents deleted for one submission. */
const maxDeletedAtOnce = 20;

const isUnreviewed = sql<boolean>`c.status = 'pending' and c.reviewed_at is null and c.submitted_by like ${`${anonymousPrefix}%`}`;

/** Makes place for one more row by deleting the oldest unreviewed content of anonymous callers. @throws {GatewayError} `conflict` */
export async function ensureCapacityOrThrow(transaction: Queryable, name: string): Promise<void> {
  const { skills, versions } = await transaction.kysely
    .selectFrom('skills')
    .select(({ fn }) => fn.countAll<number>().as('skills'))
    .select(({ fn }) => fn.countAll<number>().filterWhere('name', '=', name).as('versions'))
    .executeTakeFirstOrThrow();
  if (versions >= maxVersions && (await deleteOldestUnreviewed(transaction, sql`s.name = ${name}`, 1)).length === 0) {
    throw full(`${maxVersions} versions of this skill`);
  }
  if (skills >= maxSkills && (await deleteOldestUnreviewed(transaction, sql`true`, 1)).length === 0)
    throw full(`${maxSkills} skills`);
}

const full = (what: string) =>
  new GatewayError('conflict', {
    message: `The registry has ${what}, and takes no new ones until an admin deletes some`,
  });

/** Keeps the unreviewed contents of anonymous callers within their bounds: the oldest are deleted. */
export async function trimUnreviewed(
  transaction: Queryable,
  { id, name }: SkillRow,
  { key }: CallerQuota,
): Promise<void> {
  const bounds: readonly (readonly [which: RawBuilder<unknown>, most: number])[] = [
    [sql`s.id = ${id}`, maxOfVersion],
    [sql`s.name = ${name}`, maxOfName],
    [sql`c.submitted_by = ${key}`, maxOfCaller],
    [sql`true`, maxAnonymous],
  ];
  // The content that was just added stays.
  const isOlder = sql`c.id <> (select max(newest.id) from skill_contents newest where newest.skill_id = ${id})`;
  for (const [which, most] of bounds) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count
      from skill_contents c join skills s on s.id = c.skill_id where ${isUnreviewed} and ${which}`.execute(
      transaction.kysely,
    );
    const over = (rows[0]?.count ?? 0) - most;
    if (over > 0)
      await deleteOldestUnreviewed(transaction, sql`${which} and ${isOlder}`, Math.min(over, maxDeletedAtOnce));
  }
}

/**
 * Deletes unreviewed contents of anonymous callers, oldest first. Rows that another submission has locked are skipped, so that none waits.
 * @param which of `c`, the contents, and `s`, the skills
 * @returns names and versions of what was deleted
 */
export async function deleteOldestUnreviewed(
  { kysely }: Queryable,
  which: RawBuilder<unknown>,
  most: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: number; skill_id: number; named: string }>`select c.id, c.skill_id,
    s.name || ' ' || s.version as named
    from skill_contents c join skills s on s.id = c.skill_id
    where ${isUnreviewed} and not s.built_in and ${which}
    order by c.submitted_at, c.id limit ${most} for update of s skip locked`.execute(kysely);
  for (const { id, skill_id: skillId } of rows) await deleteContent({ kysely }, id, skillId);
  return rows.map(({ named }) => named);
}

/** A skill without contents is deleted, too; another shows its approved content, or its latest. */
async function deleteContent(transaction: Queryable, id: number, skillId: number): Promise<void> {
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
