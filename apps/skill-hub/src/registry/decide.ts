import type { SkillDecision } from '@portcullis/contracts/routes/skills';
import type { Skill, SkillStatus } from '@portcullis/contracts/skills';
import { audited, type AuditedCall } from '@portcullis/platform/audit/audited';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { renderSkill } from './render-skill.ts';
import { skillEvent, type AnnounceSkill } from './skill-events.ts';
import { findSkillById, lockSkill, updateSkill, type SkillRow } from './skill-queries.ts';

interface DecidingCall extends AuditedCall {
  readonly params: { readonly id: number };
  readonly body: SkillDecision;
}

export interface ReviewParts {
  readonly database: Queryable;
  readonly announce: AnnounceSkill;
}

/** What an admin decides about a skill as it stands in the registry, from any status. */
export async function decide(
  { database, announce }: ReviewParts,
  call: DecidingCall,
  decision: Exclude<SkillStatus, 'pending'>,
): Promise<Skill> {
  const { id } = call.params;
  const { before, row } = await audited(
    database,
    call,
    async (transaction) => {
      const before = await lockChangeable(transaction, id);
      checkSame(before, call.body.content_hash);
      const row = await updateSkill(transaction, id, {
        status: decision,
        reviewer: call.caller?.kind === 'user' ? call.caller.username : 'unknown',
        review_notes: call.body.notes ?? null,
        reviewed_at: databaseNow,
        ...(decision === 'approved' && {
          approved_hash: before.content_hash,
          approved_tree_hash: before.tree_hash,
          approved_rules_version: before.rules_version,
          approved_risk_score: before.risk_score,
          approved_at: databaseNow,
        }),
      });
      return { before, row };
    },
    ({ before, row }) => ({
      event: `skill.${decision}`,
      resource: skillResource(row),
      before: auditedState(before),
      after: auditedState(row),
      details: { content_hash: row.content_hash, tree_hash: row.tree_hash, rules_version: row.rules_version },
    }),
  );
  if (before.status !== row.status || decision === 'approved') await announce(skillEvent(decision, row));
  const shown = await findSkillById(database, id);
  if (shown === undefined) throw unknownSkillId(id);
  return renderSkill(shown);
}

/** Removes a skill with all that belongs to it. */
export async function removeSkill({ database, announce }: ReviewParts, call: AuditedCall, id: number): Promise<void> {
  const row = await audited(
    database,
    call,
    async (transaction) => {
      const known = await lockChangeable(transaction, id);
      await transaction.kysely.deleteFrom('skills').where('id', '=', id).execute();
      return known;
    },
    (known) => ({ event: 'skill.deleted', resource: skillResource(known), before: auditedState(known) }),
  );
  await announce(skillEvent('deleted', row));
}

async function lockChangeable(transaction: Queryable, id: number): Promise<SkillRow> {
  const row = await lockSkill(transaction, id);
  if (row === undefined) throw unknownSkillId(id);
  if (row.built_in) throw new GatewayError('conflict', { message: "The gateway's own skill cannot be changed" });
  return row;
}

/** A decision is about what its admin saw, and anyone may submit something else meanwhile. */
function checkSame({ content_hash: contentHash, tree_hash: treeHash }: SkillRow, seen: string | undefined): void {
  const hash = seen?.toLowerCase();
  if (hash === undefined || hash === treeHash || (treeHash === null && hash === contentHash)) return;
  const now = treeHash === null ? `content_hash is ${contentHash}` : `tree_hash is ${treeHash}`;
  throw new GatewayError('precondition_failed', { message: `Something else was submitted meanwhile: the ${now}` });
}

export const unknownSkillId = (id: number) =>
  new GatewayError('not_found', { message: `The registry has no skill ${id}` });

const skillResource = ({ id, name, version }: SkillRow) => ({ type: 'skill', id, name: `${name} ${version}` });

const auditedState = ({
  status,
  reviewer,
  review_notes,
  content_hash,
  tree_hash,
  risk_score,
  risk_level,
}: SkillRow) => ({
  status,
  reviewer,
  review_notes,
  content_hash,
  tree_hash,
  risk_score,
  risk_level,
});
