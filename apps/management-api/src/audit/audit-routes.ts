import {
  exportAuditLogs,
  getAuditHead,
  getAuditLog,
  getAuditStats,
  listAuditLogs,
  verifyAuditLog,
} from '@portcullis/contracts/routes/audit';
import { renderHead } from '@portcullis/platform/audit/chain-head';
import { findNewestSeal, sealChain } from '@portcullis/platform/audit/seal-chain';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { SealKey } from '@portcullis/platform/audit/seal-key';
import { verifyChain } from '@portcullis/platform/audit/verify-chain';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { loadAuditFilterOrThrow } from './audit-filter.ts';
import { findAuditLog, loadAuditPage, loadAuditStats } from './audit-queries.ts';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { exportCsv, exportJson } from './export-audit.ts';

export function auditRoutes(database: Database, sealKey: SealKey): BoundRoute[] {
  let verifying = false;

  return [
    bind(listAuditLogs, async ({ query: { limit, offset, ...filters } }) => ({
      data: await loadAuditPage(database, await loadAuditFilterOrThrow(database, filters), { limit, offset }),
    })),

    bind(getAuditLog, async ({ params }) => {
      const log = await findAuditLog(database, params.id);
      if (log === undefined) throw new GatewayError('not_found', { message: `There is no audit record ${params.id}` });
      return { data: log };
    }),

    bind(exportAuditLogs, async (call) => {
      const { format, ...filters } = call.query;
      const filter = await loadAuditFilterOrThrow(database, filters);
      // What is recorded from here on, this export among it, is not part of it.
      const before = await loadEnd(database);
      const resource = { type: 'audit_log', id: null, name: null };
      await recordAudit(
        database.kysely,
        auditEntry(call, { event: 'audit.exported', resource, details: { format, ...filters } }),
      );
      const fileName = `audit-log-${new Date().toISOString().slice(0, 10)}.${format}`;
      return format === 'csv'
        ? { stream: exportCsv(database, filter, before), contentType: 'text/csv; charset=utf-8', fileName }
        : { stream: exportJson(database, filter, before), contentType: 'application/json', fileName };
    }),

    bind(getAuditStats, async ({ query }) => ({
      data: await loadAuditStats(database, await loadAuditFilterOrThrow(database, query)),
    })),

    bind(getAuditHead, async () => {
      const { problem } = await sealChain(database, sealKey);
      if (problem !== undefined) {
        const message = `The audit log is broken: record ${problem.record_id} ${problem.reason}`;
        throw new GatewayError('conflict', { message });
      }
      const position = (await findNewestSeal(database, sealKey)) ?? { record_id: 0, hash: '0'.repeat(64) };
      return { data: { ...position, head: renderHead(position, sealKey) } };
    }),

    bind(verifyAuditLog, async () => {
      if (verifying) throw new GatewayError('too_many_requests', { message: 'The chain is being verified already' });
      verifying = true;
      try {
        return { data: await verifyChain(database, sealKey) };
      } finally {
        verifying = false;
      }
    }),
  ];
}

const loadEnd = async ({ kysely }: Database): Promise<number> =>
  (await kysely.selectFrom('audit_chain').select('last_id').executeTakeFirstOrThrow()).last_id + 1;
