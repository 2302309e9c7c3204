import { exportSpend, getRefusals, getSpend } from '@portcullis/contracts/routes/spend';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { exportFocus, renderDays } from './export-spend.ts';
import { loadRefusals } from './refusal-queries.ts';
import { loadSpend } from './spend-queries.ts';
import { parseDayWindowOrThrow } from './spend-window.ts';

export const spendRoutes = (database: Database): BoundRoute[] => [
  bind(getSpend, async ({ query }) => ({
    data: await readConsistent(database, (moment) => loadSpend(moment, query, new Date())),
  })),
  bind(getRefusals, async ({ query }) => ({
    data: await readConsistent(database, (moment) => loadRefusals(moment, query, new Date())),
  })),
  bind(exportSpend, async ({ query, ...call }) => {
    const now = new Date();
    const window = parseDayWindowOrThrow(query, now);
    const entry = auditEntry(call, { event: 'spend.exported', resource: null, details: query });
    await recordAudit(database.kysely, entry);
    return {
      stream: exportFocus(database, query, window),
      contentType: 'text/csv; charset=utf-8',
      fileName: `spend-focus-${renderDays(window, now)}.csv`,
    };
  }),
];
