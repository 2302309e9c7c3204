import { randomInt } from 'node:crypto';
import {
  getCanaryStats,
  listCanaryLeakages,
  purgeCanaries,
  testCanaryDetection,
  testCanaryInjection,
} from '@portcullis/contracts/routes/canaries';
import { createCanaryToken, findCanaries, renderCanary } from '@portcullis/core/canary/canary-token';
import { classifyObservation } from '@portcullis/core/canary/classify-observation';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { countCanaries, listLeakages } from './canary-stats.ts';
import { findCanaryRows, insertTestCanary, purgeCanaryRows } from './canary-queries.ts';

const dayMs = 86_400_000;
/** Tokens of one text that are looked up. */
const maxCandidates = 20;

export const canaryRoutes = (database: Database): BoundRoute[] => [
  bind(getCanaryStats, async ({ query }) => ({
    data: await readConsistent(database, (moment) => countCanaries(moment, query.days, Date.now())),
  })),

  bind(listCanaryLeakages, async ({ query: { proxy_id: proxyId, ...query } }) => {
    const page = await readConsistent(database, (moment) => listLeakages(moment, { ...query, proxyId }));
    return { data: { ...page, limit: query.limit, offset: query.offset } };
  }),

  bind(testCanaryInjection, async ({ body: { user, session, text = '' } }) => {
    const token = createCanaryToken(randomInt);
    await insertTestCanary(database, { token, principal: testPrincipal(user), session });
    return { data: { token, text: text === '' ? renderCanary(token) : `${text}\n\n${renderCanary(token)}` } };
  }),

  bind(testCanaryDetection, async ({ body: { user, session, text } }) => {
    const tokens = [...new Set(findCanaries(text))].slice(0, maxCandidates);
    const canaries = await findCanaryRows(database, tokens);
    const candidates = tokens.map((token) => {
      const canary = canaries.get(token);
      if (canary === undefined) return { token, known: false, type: null };
      const planted = { ...canary, atMs: canary.planted_at.getTime() };
      const meaning = classifyObservation(planted, { principal: testPrincipal(user), session, atMs: Date.now() });
      return { token, known: true, type: meaning === 'echo' ? null : meaning };
    });
    return { data: { leakage: candidates.some(({ type }) => type !== null), candidates } };
  }),

  bind(purgeCanaries, async (call) => {
    const days = call.query.older_than_days;
    const purged = await purgeCanaryRows(database, new Date(Date.now() - days * dayMs));
    await recordAudit(
      database.kysely,
      auditEntry(call, {
        event: 'canary.purged',
        resource: { type: 'canary', id: null, name: null },
        details: { older_than_days: days, purged },
      }),
    );
    return { data: { purged } };
  }),
];

/** A test's user is not an API key. */
const testPrincipal = (user: string): string => `test:${user}`;
