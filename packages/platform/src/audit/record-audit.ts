import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { renderJson } from '../spool/record-line.ts';
import { insertAuditRecords } from '../spool/record-inserts.ts';
import { renderAuditRecord, type AuditEntry } from './audit-entry.ts';

/**
 * Appends one record to the audit chain: in a transaction, with the change it tells of or not at all.
 * It must be the transaction's last statement, since all other auditing transactions wait from here to its end.
 */
export const recordAudit = async (kysely: Kysely<Tables>, entry: AuditEntry): Promise<void> => {
  await insertAuditRecords(kysely, `[${renderJson(renderAuditRecord(entry))}]`);
};
