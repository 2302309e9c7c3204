import { sql } from 'kysely';
import { createHash } from 'node:crypto';
import type { Queryable } from '../database/database.ts';
import type { ChainPosition, SealKey } from './seal-key.ts';

export interface ChainReport {
  readonly valid: boolean;
  /** Records that were looked at and found whole. */
  readonly records: number;
  /** The position verification began after: what came before it has expired, or nothing did. */
  readonly anchor: ChainPosition;
  readonly last: ChainPosition;
  /** The newest record with a good seal. What came later is chained, but a writer of the database could chain it anew. */
  readonly sealed_id: number | null;
  readonly problem: ChainProblem | null;
}

export interface ChainProblem {
  /** The first record that is not as it was written. */
  readonly record_id: number;
  readonly reason: string;
}

const pageSize = 1_000;

/**
 * Follows the audit chain from its anchor, or from a position known to be good, to its end, in bounded
 * memory and while others append. Finds what was changed, removed, inserted or swapped; with the seals
 * also a chain that was computed anew or cut off behind a seal.
 */
export async function verifyChain(database: Queryable, key: SealKey, from?: ChainPosition): Promise<ChainReport> {
  const chain = await loadChain(database);
  const anchor = { record_id: chain.anchor_id, hash: chain.anchor_hash };
  const last = { record_id: chain.last_id, hash: chain.last_hash };
  const start = from ?? anchor;
  let position = start;
  let sealedId: number | null = null;

  const report = (problem: ChainProblem | null): ChainReport => ({
    valid: problem === null,
    records: position.record_id - start.record_id,
    anchor,
    last,
    sealed_id: sealedId,
    problem,
  });
  const checkSeal = (seal: string | null, at: ChainPosition): ChainProblem | undefined => {
    if (seal === null) return undefined;
    if (!key.isValid(at, seal)) return broken(at.record_id, resealed);
    sealedId = at.record_id;
    return undefined;
  };

  const outside = findOutside(chain) ?? (await checkAnchor(database, anchor, checkSeal));
  if (outside !== undefined) return report(outside);
  while (position.record_id < last.record_id) {
    const page = await loadPage(database, position.record_id, last.record_id);
    if (page.length === 0) return report(broken(position.record_id + 1, missing));
    for (const row of page) {
      // Records expired while we were reading: what is left is followed from the new anchor.
      if (row.id !== position.record_id + 1 && (await loadChain(database)).anchor_id > chain.anchor_id) {
        return verifyChain(database, key);
      }
      const next = { record_id: row.id, hash: hashAfter(position.hash, row.document) };
      const problem = checkLink(row, position, next) ?? checkSeal(row.seal, next);
      if (problem !== undefined) return report(problem);
      position = next;
    }
  }
  return report(
    position.hash === last.hash ? null : broken(last.record_id, 'does not end the chain as it was written'),
  );
}

const missing = 'is missing';
const resealed = 'does not fit its seal: it, or a record before it and after the last good seal, was written anew';

const broken = (recordId: number, reason: string): ChainProblem => ({ record_id: recordId, reason });

const hashAfter = (previous: string, document: string): string =>
  createHash('sha256')
    .update(previous + document)
    .digest('hex');

function checkLink(row: ChainRow, { record_id: before }: ChainPosition, next: ChainPosition): ChainProblem | undefined {
  if (row.id !== before + 1) return broken(before + 1, missing);
  return row.hash === next.hash ? undefined : broken(row.id, 'was changed, or is not the one that was written here');
}

/** What lies beyond the ends of the chain. */
function findOutside(chain: ChainEnds): ChainProblem | undefined {
  if (chain.newest_seal !== null && chain.newest_seal > chain.last_id) {
    return broken(chain.last_id + 1, `is missing: the chain was sealed up to record ${chain.newest_seal}`);
  }
  if (chain.oldest !== null && chain.oldest <= chain.anchor_id) return broken(chain.oldest, 'stands before the chain');
  if (chain.newest !== null && chain.newest > chain.last_id) return broken(chain.newest, 'stands behind the chain');
  return undefined;
}

/** A chain that lost its oldest records to the retention begins at a sealed hash. */
async function checkAnchor(
  { kysely }: Queryable,
  anchor: ChainPosition,
  checkSeal: (seal: string | null, at: ChainPosition) => ChainProblem | undefined,
): Promise<ChainProblem | undefined> {
  if (anchor.record_id === 0) {
    return /^0{64}$/.test(anchor.hash) ? undefined : broken(1, 'does not follow the beginning of the chain');
  }
  const row = await kysely
    .selectFrom('audit_seals')
    .select('seal')
    .where('record_id', '=', anchor.record_id)
    .executeTakeFirst();
  return row === undefined
    ? broken(anchor.record_id + 1, 'follows an anchor without a seal')
    : checkSeal(row.seal, anchor);
}

interface ChainEnds {
  readonly anchor_id: number;
  readonly anchor_hash: string;
  readonly last_id: number;
  readonly last_hash: string;
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly newest_seal: number | null;
}

/** All in one statement, so that nothing is appended in between. */
const loadChain = ({ kysely }: Queryable): Promise<ChainEnds> =>
  kysely
    .selectFrom('audit_chain')
    .select(['anchor_id', 'anchor_hash', 'last_id', 'last_hash'])
    .select([
      sql<number | null>`(select min(id) from audit_log)`.as('oldest'),
      sql<number | null>`(select max(id) from audit_log)`.as('newest'),
      sql<number | null>`(select max(record_id) from audit_seals)`.as('newest_seal'),
    ])
    .executeTakeFirstOrThrow();

interface ChainRow {
  readonly id: number;
  readonly hash: string;
  readonly document: string;
  readonly seal: string | null;
}

/**
 * The document that the hash covers, as text. Built here of nothing but the columns, and not by a
 * function of the database that an attacker could replace. The trigger in 0002_audit.sql builds the same.
 */
const document = sql<string>`jsonb_build_object(
  'id', id, 'event_id', event_id,
  'timestamp', to_char(timestamp at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  'event_type', event_type, 'severity', severity,
  'actor_type', actor_type, 'actor_id', actor_id, 'actor_name', actor_name,
  'actor_email', actor_email, 'actor_role', actor_role,
  'resource_type', resource_type, 'resource_id', resource_id, 'resource_name', resource_name,
  'action', action, 'result', result, 'details', details, 'changes', changes,
  'request_id', request_id, 'source_ip', source_ip, 'user_agent', user_agent,
  'error_message', error_message)::text`;

const loadPage = ({ kysely }: Queryable, after: number, last: number): Promise<ChainRow[]> =>
  kysely
    .selectFrom('audit_log')
    .leftJoin('audit_seals', 'record_id', 'id')
    .select(['id', 'audit_log.hash', 'seal', document.as('document')])
    .where('id', '>', after)
    .where('id', '<=', last)
    .orderBy('id')
    .limit(pageSize)
    .execute();
