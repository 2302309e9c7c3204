import { sql } from 'kysely';
import type { Database } from '../src/database/database.ts';

/** Cuts the end of the audit log with its seals, as a person with the database can, so that what is left is whole. */
export const cutAuditLog = ({ kysely }: Database, lastId: number): Promise<void> =>
  kysely.transaction().execute(async (transaction) => {
    await sql.raw('alter table audit_log disable trigger all').execute(transaction);
    await transaction.deleteFrom('audit_seals').where('record_id', '>', lastId).execute();
    await transaction.deleteFrom('audit_log').where('id', '>', lastId).execute();
    const { hash } = await transaction
      .selectFrom('audit_log')
      .select('hash')
      .where('id', '=', lastId)
      .executeTakeFirstOrThrow();
    await transaction.updateTable('audit_chain').set({ last_id: lastId, last_hash: hash }).execute();
    await sql.raw('alter table audit_log enable trigger all').execute(transaction);
  });
