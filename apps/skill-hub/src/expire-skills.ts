import { deleteInBatches } from '@portcullis/platform/database/delete-in-batches';
import type { Database } from '@portcullis/platform/database/database';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery, type Repeated } from '@portcullis/platform/event-loop/run-every';
import type { Logger } from '@portcullis/platform/log/logger';
import { sql } from 'kysely';
import { findNeededArchives } from './packages/package-queries.ts';
import type { PackageStore } from './packages/package-store.ts';

interface ExpireParts {
  readonly database: Database;
  readonly log: Logger;
  readonly store: PackageStore;
  /** How long submissions, reports, and skills that no admin looked at are kept. */
  readonly keepMs: number;
  readonly intervalMs?: number;
}

const hourMs = 3_600_000;
/** Of submissions and of reports: anyone may make them, so their number has a bound beside their age. */
const maxKept = 200_000;

/** Forgets what is old, and what nothing refers to any more. Any number of processes may do this. */
export const startExpiringSkills = (parts: ExpireParts): Repeated =>
  runEvery(() => expireSkills(parts), {
    intervalMs: parts.intervalMs ?? hourMs,
    onFault: (error) =>
      void parts.log.warn('Old submissions of skills could not be removed', { reason: problemText(error) }),
  });

export async function expireSkills({ database, log, store, keepMs }: ExpireParts): Promise<void> {
  const { kysely } = database;
  const before = new Date(Date.now() - keepMs);
  for (const table of ['skill_submissions', 'skill_reports'] as const) {
    await deleteInBatches(kysely, table, sql`created_at < ${before}`);
    await deleteInBatches(kysely, table, sql`id <= (select max(id) from ${sql.table(table)}) - ${maxKept}`);
  }
  const skills = await deleteInBatches(
    kysely,
    'skills',
    sql`status = 'pending' and reviewed_at is null and updated_at < ${before}`,
  );
  // Those that something else took the place of, before an admin looked at them.
  await deleteInBatches(
    kysely,
    'skill_contents',
    sql`status = 'pending' and reviewed_at is null and submitted_at < ${before} and not exists (select from skills s
      where s.id = skill_contents.skill_id and s.content_hash = skill_contents.content_hash
        and s.tree_hash is not distinct from skill_contents.tree_hash)`,
  );
  if (skills > 0) log.info('Skills that were submitted long ago and not reviewed were removed', { skills });

  // Young rows may belong to a submission that is on its way.
  const isOld = sql`created_at < now() - interval '1 hour'`;
  await deleteInBatches(
    kysely,
    'skill_sources',
    sql`${isOld} and not exists (select from skill_contents c where c.content_hash = skill_sources.hash)`,
  );
  await deleteInBatches(
    kysely,
    'skill_assessments',
    sql`${isOld}
      and not exists (select from skill_contents c where skill_assessments.content_hash in (c.content_hash, c.tree_hash, c.facts_hash))
      and not exists (select from skill_submissions s where skill_assessments.content_hash in (s.content_hash, s.tree_hash, s.facts_hash))`,
  );
  await deleteInBatches(
    kysely,
    'skill_archives',
    sql`${isOld} and not exists (select from skill_packages p where p.sha256 = skill_archives.sha256)`,
  );
  const files = await store.sweep((hashes) => findNeededArchives(database, hashes));
  if (files > 0) log.info('Files of packages that nothing refers to were removed', { files });
}
