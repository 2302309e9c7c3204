import type { SkillDecision } from '@portcullis/contracts/routes/skills';
import { audited, type AuditedCall } from '../audit/audited.ts';
import type { Queryable } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { checkApprovalNote } from './check-approval-note.ts';
import { chooseContents, isSame, seenHashes, type Decision } from './choose-contents.ts';
import { listContents, shownColumns, updateContents, type ContentRow } from './content-queries.ts';
import { skillEvent, type AnnounceSkill } from './announce-skill.ts';
import { findSkillById, lockSkill, updateSkill, type ListedSkillRow, type SkillRow } from './skill-queries.ts';

interface DecidingCall extends AuditedCall {
  /** What was looked at, as the header If-Match has it. */
  readonly ifMatch?: string | undefined;
  readonly params: { readonly id: number };
  readonly body: SkillDecision;
}

export interface ReviewParts {
  readonly database: Queryable;
  readonly announce: AnnounceSkill;
}

/** What an admin decides about a content of a skill as it stands in the registry, from any status. */
export async function decideSkill(
  { database, announce }: ReviewParts,
  call: DecidingCall,
  decision: Decision,
): Promise<ListedSkillRow> {
  const { id } = call.params;
  const { before, row } = await audited(
    database,
    call,
    async (transaction) => {
      const before = await lockChangeable(transaction, id);
      const contents = await listContents(transaction, id);
      const decided = chooseContents(before, contents, { decision, seen: seenHashes(call) });
      const reviewed = {
        status: decision,
        reviewer: call.caller?.kind === 'user' ? call.caller.username : 'unknown',
        review_notes: call.body.notes ?? null,
        reviewed_at: databaseNow,
        ...(decision === 'approved' && { approved_at: databaseNow }),
      };
      const [content, ...others] = decided;
      if (decision === 'approved') await checkApprovalNote(transaction, content, call.body.notes);
      const changed = await updateContents(transaction, [content.id, ...others.map((one) => one.id)], reviewed);
      const next = changed.find((one) => one.id === content.id) ?? content;
      const isShown = decision === 'approved' || isSame(before, content);
      const row = await updateSkill(transaction, id, {
        ...(isShown && { ...shownColumns(next), ...reviewed }),
        ...(decision === 'approved' && approvedColumns(content)),
      });
      return { before, row, content: next };
    },
    ({ before, row, content }) => ({
      event: `skill.${decision}`,
      resource: skillResource(row),
      before: auditedState(before),
      after: auditedState(row),
      details: {
        content_hash: content.content_hash,
        tree_hash: content.tree_hash,
        rules_version: content.rules_version,
      },
    }),
  );
  if (before.status !== row.status || decision === 'approved') await announce.event(skillEvent(decision, row));
  await announce.approval(id);
  const shown = await findSkillById(database, id);
  if (shown === undefined) throw unknownSkillId(id);
  return shown;
}

const approvedColumns = (content: ContentRow) => ({
  approved_hash: content.content_hash,
  approved_tree_hash: content.tree_hash,
  approved_rules_version: content.rules_version,
  approved_risk_score: content.risk_score,
});

export async function lockChangeable(transaction: Queryable, id: number): Promise<SkillRow> {
  const row = await lockSkill(transaction, id);
  if (row === undefined) throw unknownSkillId(id);
  if (row.built_in) throw new GatewayError('conflict', { message: "The gateway's own skill cannot be changed" });
  return row;
}

export const unknownSkillId = (id: number) =>
  new GatewayError('not_found', { message: `The registry has no skill ${id}` });

export const skillResource = ({ id, name, version }: SkillRow) => ({ type: 'skill', id, name: `${name} ${version}` });

export const auditedState = ({
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
