import { clientNetworkOf } from '@portcullis/core/network/client-network';
import { audited, type AuditedCall } from '@portcullis/platform/audit/audited';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql } from 'kysely';
import { strangerPrefix } from '../caller-share.ts';
import { dropOldest } from './registry-room.ts';
import type { ReviewParts } from './decide.ts';

interface DeletingCall extends AuditedCall {
  readonly body: {
    readonly skill_ids?: readonly number[] | undefined;
    readonly source_ip?: string | undefined;
    readonly search?: string | undefined;
  };
}

export interface DeletedSkills {
  readonly deleted: number;
  readonly kept: { readonly id: number; readonly reason: string }[];
}

const maxAtOnce = 1_000;
/** Of what went, the names that the audit log tells. */
const maxTold = 100;

/** Removes skills by their ids, or what strangers sent and nobody looked at. */
export async function deleteSkills(parts: ReviewParts, call: DeletingCall): Promise<DeletedSkills> {
  const { skill_ids: ids, source_ip: sourceIp, search } = call.body;
  if ((ids === undefined) === (sourceIp === undefined && search === undefined)) {
    const message = 'Say which skills go: either skill_ids, or source_ip or search for what strangers sent';
    throw new GatewayError('bad_request', { message });
  }
  const { names: _, ...told } = await audited(
    parts.database,
    call,
    (transaction) =>
      ids === undefined ? deleteUnseen(transaction, sourceIp, search) : deleteByIds(transaction, [...new Set(ids)]),
    ({ deleted, names }) =>
      deleted === 0
        ? undefined
        : {
            event: 'skill.bulk.deleted',
            resource: null,
            details: { deleted, source_ip: sourceIp, search, skills: names.slice(0, maxTold) },
          },
  );
  if (told.deleted > 0) {
    const timestamp = new Date().toISOString();
    const message = `${told.deleted} skills were deleted from the registry`;
    await parts.announce({
      event: 'skill.deleted',
      message,
      severity: 'Low',
      timestamp,
      details: { deleted: told.deleted },
    });
  }
  return told;
}

type Deleted = DeletedSkills & { readonly names: readonly string[] };

async function deleteByIds({ kysely }: Queryable, ids: readonly number[]): Promise<Deleted> {
  const rows = await kysely
    .deleteFrom('skills')
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .where('built_in', '=', false)
    .returning(['id', 'name', 'version'])
    .execute();
  const gone = new Set(rows.map(({ id }) => id));
  const left = await kysely
    .selectFrom('skills')
    .select('id')
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .execute();
  const own = new Set(left.map(({ id }) => id));
  const kept = ids
    .filter((id) => !gone.has(id))
    .map((id) => ({
      id,
      reason: own.has(id) ? "The gateway's own skill cannot be changed" : 'There is no such skill',
    }));
  return { deleted: rows.length, kept, names: rows.map(({ name, version }) => `${name} ${version}`) };
}

async function deleteUnseen(
  transaction: Queryable,
  sourceIp: string | undefined,
  search: string | undefined,
): Promise<Deleted> {
  const from = sourceIp === undefined ? sql`true` : sql`c.submitted_by = ${strangerPrefix + clientNetworkOf(sourceIp)}`;
  const named = search === undefined ? sql`true` : sql`strpos(lower(s.name), lower(${search})) > 0`;
  const names = await dropOldest(transaction, sql`${from} and ${named}`, maxAtOnce);
  return { deleted: names.length, kept: [], names };
}
