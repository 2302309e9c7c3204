import type { SkillStatus, SkillSubmissionStatus } from '@portcullis/contracts/skills';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { saveAssessment, saveSource, type Assessment } from '@portcullis/platform/skills/assessment-queries';
import { withFacts } from '../scan/assess-facts.ts';
import { quotaOf, anonymousPrefix, type CallerQuota } from '../caller-quota.ts';
import type { SkillCaller } from '../skill-hub.ts';
import {
  addContent,
  listContents,
  shownColumns,
  updateContents,
  type ContentRow,
} from '@portcullis/platform/skills/content-queries';
import { trimUnreviewed, ensureCapacityOrThrow } from './registry-limits.ts';
import { lockSkill, updateSkill, type SkillRow } from '@portcullis/platform/skills/skill-queries';
import { transitionContent, type ContentTransition } from './content-transition.ts';

/** A skill that was scanned and is to be stored. Names are checked. */
export interface ScannedSubmission {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author: string;
  readonly tags: readonly string[];
  readonly agentName: string;
  readonly contentHash: string;
  /** Null for a source alone. */
  readonly treeHash: string | null;
  /** Its text; undefined for a package without one. */
  readonly source: string | undefined;
  /** Of the files where there are some, else of the source. */
  readonly content: Assessment;
  /** Of what was said beside it; null where nothing was that needs to be judged. */
  readonly facts: Assessment | null;
}

export interface RecordedSubmission {
  readonly id: number;
  readonly status: SkillSubmissionStatus;
  /** Of what came in, which the registry need not show. */
  readonly contentStatus: SkillStatus;
  /** The registry knows something that it did not. */
  readonly isNews: boolean;
  /** As it was; undefined for a skill that was not known. */
  readonly before: SkillRow | undefined;
  readonly skill: SkillRow;
}

/**
 * Stores a submission, and updates the registry by it. Within a transaction: two submissions of
 * one version wait for each other, and make one row.
 */
export async function recordSubmission(
  transaction: Queryable,
  submission: ScannedSubmission,
  caller: SkillCaller,
): Promise<RecordedSubmission> {
  if (submission.source !== undefined) await saveSource(transaction, submission.contentHash, submission.source);
  await saveAssessment(transaction, submission.content);
  if (submission.facts !== null) await saveAssessment(transaction, submission.facts);
  const share = quotaOf(caller);
  const added = await addSkill(transaction, submission);
  const before = added === undefined ? await lockKnown(transaction, submission) : undefined;
  const taken =
    before === undefined
      ? await createSkill(transaction, added as SkillRow, submission, share)
      : await updateSkillContent(transaction, before, submission, share);
  if (taken.isNews && share.rank === 'anonymous') await trimUnreviewed(transaction, taken.skill, share);
  const id = await addSubmission(transaction, { skill: taken.skill, status: taken.status, submission, caller });
  return { ...taken, id, before };
}

async function createSkill(
  transaction: Queryable,
  skill: SkillRow,
  submission: ScannedSubmission,
  { key }: CallerQuota,
) {
  const row = { skill_id: skill.id, status: 'pending', submitted_by: key, ...contentColumns(submission) };
  await addContent(transaction, row);
  return { skill, status: 'analyzed', contentStatus: 'pending', isNews: true } as const;
}

const contentColumns = (submission: ScannedSubmission) => ({
  description: submission.description,
  author: submission.author,
  tags: [...submission.tags],
  content_hash: submission.contentHash,
  tree_hash: submission.treeHash,
  ...judgedColumns(submission),
});

/** What was found; what is said beside a content that an admin decided about is no news of it. */
function judgedColumns({ content, facts }: Pick<ScannedSubmission, 'content' | 'facts'>) {
  const assessment = withFacts(content, facts);
  return {
    facts_hash: facts?.contentHash ?? null,
    rules_version: assessment.rulesVersion,
    risk_score: assessment.riskScore,
    risk_level: assessment.riskLevel,
    findings_count: assessment.findings.length,
    categories: [...new Set(assessment.findings.map(({ category }) => category))],
  };
}

async function addSkill(transaction: Queryable, submission: ScannedSubmission): Promise<SkillRow | undefined> {
  const { kysely } = transaction;
  const { name, version } = submission;
  const isKnown = await kysely
    .selectFrom('skills')
    .select('id')
    .where('name', '=', name)
    .where('version', '=', version)
    .executeTakeFirst();
  if (isKnown !== undefined) return undefined;
  await ensureCapacityOrThrow(transaction, name);
  return kysely
    .insertInto('skills')
    .values({ name, version, status: 'pending', submissions_count: 1, ...contentColumns(submission) })
    .onConflict((conflict) => conflict.columns(['name', 'version']).doNothing())
    .returningAll()
    .$castTo<SkillRow>()
    .executeTakeFirst();
}

async function lockKnown(transaction: Queryable, { name, version }: ScannedSubmission): Promise<SkillRow> {
  const { id } = await transaction.kysely
    .selectFrom('skills')
    .select('id')
    .where('name', '=', name)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
  const row = await lockSkill(transaction, id);
  if (row === undefined) {
    throw new GatewayError('conflict', { message: 'The skill was deleted at the same moment; submit it again' });
  }
  return row;
}

async function updateSkillContent(
  transaction: Queryable,
  known: SkillRow,
  submission: ScannedSubmission,
  share: CallerQuota,
) {
  const { contentHash, treeHash, content } = submission;
  const contents = await listContents(transaction, known.id);
  const same = contents.find((row) => row.content_hash === contentHash && row.tree_hash === treeHash);
  const taken = transitionContent({
    shown: known.status,
    known: same && { status: same.status, rulesVersion: same.rules_version, riskLevel: same.risk_level },
    next: { rulesVersion: content.rulesVersion, riskLevel: content.riskLevel },
    isPart: treeHash === null && contents.some((row) => row.tree_hash !== null && row.content_hash === contentHash),
  });
  if (known.built_in && taken.submission === 'analyzed') {
    const message = `${known.name} ${known.version} is the gateway's own; submit your skill under another name`;
    throw new GatewayError('conflict', { message });
  }
  const saved = await saveContent(transaction, known.id, { same, taken, submission, share });
  const isShown = known.content_hash === contentHash && known.tree_hash === treeHash;
  const skill = await updateSkill(transaction, known.id, {
    submissions_count: known.submissions_count + 1,
    // What was known before is no news: it must not come before what was decided since.
    ...(taken.isShown && !isShown && { submitted_at: databaseNow }),
    ...((taken.isShown || isShown) && shownColumns(saved)),
  });
  const isNews = same === undefined || same.status !== saved.status || known.status !== skill.status;
  return { skill, status: taken.submission, contentStatus: saved.status, isNews };
}

interface SavedContent {
  readonly same: ContentRow | undefined;
  readonly taken: ContentTransition;
  readonly submission: ScannedSubmission;
  readonly share: CallerQuota;
}

async function saveContent(
  transaction: Queryable,
  skillId: number,
  { same, taken: { status, isReassessed }, submission, share }: SavedContent,
): Promise<ContentRow> {
  if (same === undefined) {
    return addContent(transaction, {
      skill_id: skillId,
      status,
      submitted_by: share.key,
      ...contentColumns(submission),
    });
  }
  // A content that an identified caller sends, too, belongs to that caller from then on, with its description.
  const isAdopted =
    same.status === 'pending' && share.rank !== 'anonymous' && same.submitted_by?.startsWith(anonymousPrefix) === true;
  if (!isReassessed && !isAdopted && same.status === status) return same;
  const isOpen = same.status === 'pending';
  const [changed = same] = await updateContents(transaction, [same.id], {
    status,
    ...(isAdopted && { submitted_by: share.key }),
    ...((isAdopted || (isReassessed && isOpen)) && contentColumns(submission)),
    ...(isReassessed && !isOpen && judgedColumns({ content: submission.content, facts: null })),
  });
  return changed;
}

interface AddedSubmission {
  readonly skill: SkillRow;
  readonly status: SkillSubmissionStatus;
  readonly submission: ScannedSubmission;
  readonly caller: SkillCaller;
}

async function addSubmission(
  { kysely }: Queryable,
  { skill, status, submission, caller }: AddedSubmission,
): Promise<number> {
  const { user } = caller;
  const assessment = withFacts(submission.content, submission.facts);
  const { id } = await kysely
    .insertInto('skill_submissions')
    .values({
      skill_id: skill.id,
      skill_name: skill.name,
      version: skill.version,
      agent_name: submission.agentName,
      user_identity: nameOfCaller(user),
      source_ip: caller.address,
      via: caller.via,
      content_hash: submission.contentHash,
      tree_hash: submission.treeHash,
      facts_hash: submission.facts?.contentHash ?? null,
      rules_version: assessment.rulesVersion,
      risk_score: assessment.riskScore,
      risk_level: assessment.riskLevel,
      findings_count: assessment.findings.length,
      status,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Null for an anonymous caller. */
export const nameOfCaller = (user: SkillCaller['user']): string | null =>
  user === undefined ? null : user.kind === 'user' ? user.username : user.name;
