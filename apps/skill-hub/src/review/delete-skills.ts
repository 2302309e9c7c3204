import { clientNetworkOf } from '@portcullis/core/network/client-network';
import { audited, type AuditedCall } from '@portcullis/platform/audit/audited';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql } from 'kysely';
import { anonymousPrefix } from '../caller-quota.ts';
import { deleteOldestUnreviewed } from '../submissions/registry-limits.ts';
import type { ReviewParts } from '@portcullis/platform/skills/decide-skill';

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
/** Names of deleted skills in the audit log. */
const maxAuditedNames = 100;

/** Deletes skills by their ids, or unreviewed contents of anonymous callers. */
export async function deleteSkills(parts: ReviewParts, call: DeletingCall): Promise<DeletedSkills> {
  const { skill_ids: ids, source_ip: sourceIp, search } = call.body;
  if ((ids === undefined) === (sourceIp === undefined && search === undefined)) {
    const message = 'Say which skills go: either skill_ids, or source_ip or search for what strangers sent';
    throw new GatewayError('bad_request', { message });
  }
  const { names: _, ...summary } = await audited(
    parts.database,
    call,
    (transaction) =>
      ids === undefined ? deleteUnreviewed(transaction, sourceIp, search) : deleteByIds(transaction, [...new Set(ids)]),
    ({ deleted, names }) =>
      deleted === 0
        ? undefined
        : {
            event: 'skill.bulk.deleted',
            resource: null,
            details: { deleted, source_ip: sourceIp, search, skills: names.slice(0, maxAuditedNames) },
          },
  );
  if (summary.deleted > 0) {
    const timestamp = new Date().toISOString();
    const message = `${summary.deleted} skills were deleted from the registry`;
    await parts.announce.event({
      event: 'skill.deleted',
      message,
      severity: 'Low',
      timestamp,
      details: { deleted: summary.deleted },
    });
  }
  return summary;
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

async function deleteUnreviewed(
  transaction: Queryable,
  sourceIp: string | undefined,
  search: string | undefined,
): Promise<Deleted> {
  const from =
    sourceIp === undefined ? sql`true` : sql`c.submitted_by = ${anonymousPrefix + clientNetworkOf(sourceIp)}`;
  const named = search === undefined ? sql`true` : sql`strpos(lower(s.name), lower(${search})) > 0`;
  const names = await deleteOldestUnreviewed(transaction, sql`${from} and ${named}`, maxAtOnce);
  return { deleted: names.length, kept: [], names };
}
