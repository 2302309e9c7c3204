import { existsBatch } from '@portcullis/platform/database/exists-batch';
import type { Database } from '@portcullis/platform/database/database';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import type { Logger } from '@portcullis/platform/log/logger';
import { renderAuditLog, type AuditRow } from './audit-row.ts';

interface AnnouncerOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly intervalMs?: number;
}

/** What a line about an audit record says; the record is its field `audit`. */
const tag = 'AUDIT_JSON';

/**
 * Writes every record of the audit log to the log of this process until it is disposed, for the tool that
 * collects logs: in the order of the chain, once committed, whichever process recorded it. Any number of
 * processes may do this; each record is told by one of them, and again only after a crash.
 */
export function startAuditAnnouncer({ database, log, intervalMs = 1_000 }: AnnouncerOptions): AsyncDisposable {
  const announce = async (): Promise<void> => {
    if (!(await hasNews(database))) return;
    while ((await announceSome(database, log)) === batchSize);
  };
  const onFault = (error: unknown) => void log.warn('Audit records could not be told', { reason: problemText(error) });
  const repeated = runEvery(announce, { intervalMs, onFault });
  return {
    async [Symbol.asyncDispose]() {
      await repeated[Symbol.asyncDispose]();
      await announce().catch(onFault);
    },
  };
}

const batchSize = 500;

/** Asked without a transaction, since the answer is nearly always no. */
const hasNews = existsBatch((kysely) =>
  kysely
    .selectFrom('audit_log')
    .select('id')
    .where('id', '>', (mark) => mark.selectFrom('audit_announced').select('last_id')),
);

/** Tells the next records, while the mark is locked, and answers how many; none when another process is at it. */
const announceSome = ({ kysely }: Database, log: Logger): Promise<number> =>
  kysely.transaction().execute(async (transaction) => {
    const mark = await transaction
      .selectFrom('audit_announced')
      .select('last_id')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (mark === undefined) return 0;
    const rows = await transaction
      .selectFrom('audit_log')
      .selectAll()
      .where('id', '>', mark.last_id)
      .orderBy('id')
      .limit(batchSize)
      .$castTo<AuditRow>()
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return 0;
    for (const row of rows) log.info(tag, { audit: renderAuditLog(row) });
    await transaction.updateTable('audit_announced').set({ last_id: last.id }).execute();
    return rows.length;
  });
