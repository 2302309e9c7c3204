import type {
  Approval,
  ApprovalBatchBody,
  ApprovalBatchResult,
  ApprovalKind,
} from '@portcullis/contracts/routes/approvals';
import type { ReviewDecision } from '@portcullis/core/review/check-decision';
import { decideCardChange } from '@portcullis/platform/agents/decide-card-change';
import {
  findApproval,
  renderApproval,
  renderApprovalId,
  type ApprovalRow,
} from '@portcullis/platform/approvals/approval-rows';
import type { AuditedCall } from '@portcullis/platform/audit/audited';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { DefinitionScanner } from '@portcullis/platform/policies/definition-scanner';
import type { AnnounceSkill } from '@portcullis/platform/skills/announce-skill';
import { decideSkill } from '@portcullis/platform/skills/decide-skill';
import { hash } from 'node:crypto';
import { decideToolChange } from '../tools/decide-change.ts';
import { approvalConditionsOrThrow } from './approval-filter.ts';
import { findNewest } from './find-approvals.ts';

interface DecidingParts {
  readonly database: Queryable;
  readonly bus: Bus;
  readonly scanner: DefinitionScanner;
  readonly announce: AnnounceSkill;
}

interface Asked {
  readonly id: string;
  /** Of what was looked at. */
  readonly version: string;
}

const maxMatched = 200;

interface AskedDecision {
  readonly decision: ReviewDecision;
  readonly note?: string | undefined;
}

/** @throws {GatewayError} when there is none with this id, nothing to decide about it, or it is not what was looked at */
export async function decideApproval(
  parts: DecidingParts,
  call: AuditedCall,
  { id, version }: Asked,
  asked: AskedDecision,
): Promise<Approval> {
  const row = await findApproval(parts.database, id);
  if (row === undefined) throw unknownApproval(id);
  await decideAs[row.kind](parts, call, row, { ...asked, version });
  const decided = await findApproval(parts.database, id);
  if (decided === undefined) throw unknownApproval(id);
  return renderApproval(decided);
}

type DecideKind = (
  parts: DecidingParts,
  call: AuditedCall,
  row: ApprovalRow,
  asked: AskedDecision & { readonly version: string },
) => Promise<unknown>;

/** By the code of the routes of each kind. */
const decideAs: Readonly<Record<ApprovalKind, DecideKind>> = {
  tool: (parts, call, { id, proxy_id: proxyId }, asked) =>
    decideToolChange(parts, call, { proxyId: proxyId ?? 0, changeId: id, ...asked }),
  card: (parts, call, { id, agent_id: agentId }, asked) =>
    decideCardChange(parts, call, { agentId: agentId ?? 0, changeId: id, ...asked }),
  skill: (parts, call, { id }, { decision, note, version }) =>
    decideSkill(
      parts,
      { ...call, params: { id }, body: { content_hash: version, ...(note !== undefined && { notes: note }) } },
      decision,
    ),
};

export const unknownApproval = (id: string): GatewayError =>
  new GatewayError('not_found', { message: `Nothing with the id ${id} is or was held` });

/** Decides one after the other, each by itself: what is refused for one does not stop the others. */
export async function decideBatch(
  parts: DecidingParts,
  call: AuditedCall,
  body: ApprovalBatchBody,
): Promise<ApprovalBatchResult> {
  const asked = await findAskedOrThrow(parts.database, body);
  const version = batchVersion(asked);
  const isDry = body.dry_run === true;
  if (!isDry && body.filter !== undefined && body.batch_version !== version) {
    const message = 'The filter matches something else than in the dry run. Nothing was decided';
    throw new GatewayError('conflict', { message });
  }
  const decision = body.decision === 'approve' ? 'approved' : 'rejected';
  const results: ApprovalBatchResult['results'] = [];
  for (const one of asked) {
    if (isDry) results.push({ ...one, status: null, error: null });
    else results.push(await tryDecide(parts, call, one, { decision, note: body.note }));
  }
  const failed = results.filter(({ error }) => error !== null).length;
  return {
    matched: asked.length,
    decided: asked.length - failed,
    failed,
    dry_run: isDry,
    batch_version: version,
    results,
  };
}

async function tryDecide(
  parts: DecidingParts,
  call: AuditedCall,
  asked: Asked,
  by: { readonly decision: ReviewDecision; readonly note: string | undefined },
): Promise<ApprovalBatchResult['results'][number]> {
  try {
    const { status } = await decideApproval(parts, call, asked, by);
    return { ...asked, status, error: null };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const row = await findApproval(parts.database, asked.id);
    return { ...asked, status: row?.status ?? null, error: error.message };
  }
}

async function findAskedOrThrow(database: Queryable, body: ApprovalBatchBody): Promise<readonly Asked[]> {
  const { approvals: given, filter, batch_version: version, dry_run: isDry } = body;
  if ((given === undefined) === (filter === undefined)) throw refuse('filter', 'must stand in place of approvals');
  if (given !== undefined) return [...new Map(given.map((one) => [one.id, one])).values()];
  if (isDry !== true && version === undefined) {
    throw refuse('batch_version', 'is required with a filter: a dry run tells it');
  }
  const rows = await findNewest(database, approvalConditionsOrThrow(filter ?? {}, '/body/filter'), maxMatched + 1);
  if (rows.length > maxMatched) throw refuse('filter', `must match ${maxMatched} approvals at most`);
  return rows.map((row) => ({ id: renderApprovalId(row), version: row.version }));
}

const batchVersion = (asked: readonly Asked[]): string =>
  hash(
    'sha256',
    asked
      .map(({ id, version }) => `${id} ${version}\n`)
      .toSorted()
      .join(''),
  );

const refuse = (field: string, rule: string): GatewayError =>
  new GatewayError('bad_request', { problems: [{ path: `/body/${field}`, rule }] });
