import type { Queryable } from '../database/database.ts';
import type { ChainPosition, SealKey } from './seal-key.ts';
import type { ChainProblem } from './verify-chain.ts';

const format = /^(\d{1,15}):([\da-f]{64}):([\da-f]{64})$/;

/**
 * The end of the audit chain as it is published: number and hash of its last record, and a signature. Kept in another place,
 * it shows later on whether the chain was cut behind it, its seals too.
 */
export const renderHead = (position: ChainPosition, key: SealKey): string =>
  `${position.record_id}:${position.hash}:${key.sign(position)}`;

/**
 * @param text a head, or the answer of `GET /audit/head` as JSON
 * @throws {Error} for what is none, or what no known key signed
 */
export function parseHeadOrThrow(text: string, key: SealKey): ChainPosition {
  const [, recordId, hash = '', signature = ''] = format.exec(findHead(text)) ?? [];
  if (recordId === undefined) throw new Error('it is not the head of an audit chain');
  const position = { record_id: Number(recordId), hash };
  if (!key.isValid(position, signature)) throw new Error('its signature is not of this ENCRYPTION_KEY');
  return position;
}

function findHead(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return trimmed;
  try {
    const answer = JSON.parse(trimmed) as {
      readonly head?: unknown;
      readonly data?: { readonly head?: unknown } | null;
    };
    return String(answer.data?.head ?? answer.head);
  } catch {
    return '';
  }
}

export type HeadComparison =
  | { readonly kind: 'same' }
  /** Its record has expired since. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'other'; readonly problem: ChainProblem };

/** Whether a chain that was found whole goes on from where it was published to end. */
export async function compareHead({ kysely }: Queryable, head: ChainPosition): Promise<HeadComparison> {
  const chain = await kysely
    .selectFrom('audit_chain')
    .select(['anchor_id', 'anchor_hash', 'last_id'])
    .executeTakeFirstOrThrow();
  const other = (recordId: number, reason: string): HeadComparison => ({
    kind: 'other',
    problem: { record_id: recordId, reason },
  });
  if (head.record_id > chain.last_id) {
    return other(chain.last_id + 1, `is missing: the chain was published up to record ${head.record_id}`);
  }
  if (head.record_id < chain.anchor_id) return { kind: 'expired' };
  const hash = head.record_id === chain.anchor_id ? chain.anchor_hash : await findHash({ kysely }, head.record_id);
  return hash === head.hash ? { kind: 'same' } : other(head.record_id, 'is not the one that was published');
}

const findHash = async ({ kysely }: Queryable, id: number): Promise<string | undefined> =>
  (await kysely.selectFrom('audit_log').select('hash').where('id', '=', id).executeTakeFirst())?.hash;
