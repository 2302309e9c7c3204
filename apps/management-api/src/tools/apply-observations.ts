import { existsBatch } from '@portcullis/platform/database/exists-batch';
import { changeConfig } from '@portcullis/platform/database/change-config';
import type { Queryable } from '@portcullis/platform/database/database';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { findProxy } from '../proxies/proxy-queries.ts';
import type { AppliedToolSync, WatchedProxy } from './apply-tool-sync.ts';
import { auditToolSync } from './audit-tool-sync.ts';
import { makeDue } from './check-queries.ts';
import { scanInstructions, scanTool } from './scanned-tools.ts';
import { announceTools, syncTools, watchedProxy } from './sync-tools.ts';
import type { ScanDefinition, DefinitionScanner } from '@portcullis/platform/policies/definition-scanner';

type Parts = Pick<Infrastructure, 'database' | 'coordination'> & { readonly scanner: DefinitionScanner };

const batchSize = 200;

/** Takes over what traffic showed, oldest first, and answers how many observations were settled. */
export async function applyObservations(parts: Parts): Promise<number> {
  const { database, scanner } = parts;
  if (!(await hasObservations(database))) return 0;
  const scan = await scanner(database);
  const { applied, settled } = await changeConfig(database, async (transaction) => {
    const observations = await transaction
      .deleteFrom('mcp_sightings')
      .where('id', 'in', (rows) => rows.selectFrom('mcp_sightings').select('id').orderBy('id').limit(batchSize))
      .returningAll()
      .execute();
    const outcomes: { readonly proxy: WatchedProxy; readonly sync: AppliedToolSync }[] = [];
    const byProxy = Map.groupBy(
      observations.toSorted((a, b) => a.id - b.id),
      ({ proxy_id }) => proxy_id,
    );
    for (const [proxyId, ofProxy] of byProxy) {
      const row = await findProxy({ kysely: transaction }, proxyId);
      if (row === undefined) continue;
      const proxy = watchedProxy(row);
      outcomes.push({ proxy, sync: await settleProxy({ kysely: transaction }, proxy, ofProxy, scan) });
    }
    for (const { proxy, sync } of outcomes) await auditToolSync({ kysely: transaction }, proxy, sync, 'traffic');
    return { applied: outcomes, settled: observations.length };
  });
  for (const { proxy, sync } of applied) await announceTools(parts, proxy, sync);
  return settled;
}

/** Asked without the lock on the configuration, since the answer is nearly always no. */
export const hasObservations = existsBatch((kysely) => kysely.selectFrom('mcp_sightings').select('id'));

interface Observation {
  readonly subject: string;
  readonly name: string;
  readonly hash: string;
  readonly definition: unknown;
}

/** The last word on each tool counts. That tools seem to be gone is a reason to ask the target, and no more. */
async function settleProxy(
  transaction: Queryable,
  proxy: WatchedProxy,
  observations: readonly Observation[],
  scan: ScanDefinition,
): Promise<AppliedToolSync> {
  const of = (subject: string) => observations.filter((one) => one.subject === subject);
  if (of('missing').length > 0) await makeDue(transaction, [proxy.id]);
  const latest = new Map(of('tool').map((one) => [one.name, one]));
  const received = of('instructions').at(-1);
  const { instructions = '' } = Object(received?.definition) as { instructions?: string };
  return syncTools(transaction, proxy, {
    source: 'traffic',
    tools: [...latest.values()].map(({ name, definition, hash }) => scanTool(name, definition, scan, hash)),
    isWhole: false,
    instructions: received === undefined ? undefined : scanInstructions(instructions, scan, received.hash),
  });
}
