import type { SkillSubmissionStatus } from '@portcullis/contracts/skills';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { saveAssessment, saveSource, type Assessment } from '../scan/assessor.ts';
import type { SkillCaller } from '../skill-hub.ts';
import { lockSkill, updateSkill, type SkillRow } from './skill-queries.ts';
import { takeContent } from './take-content.ts';

/** A skill that was scanned and is to be taken down. Names are checked. */
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
  readonly assessment: Assessment;
}

export interface TakenSubmission {
  readonly id: number;
  readonly status: SkillSubmissionStatus;
  /** As it was; undefined for a skill that was not known. */
  readonly before: SkillRow | undefined;
  readonly skill: SkillRow;
}

/** Any agent may add to the registry, so it has bounds. */
const maxSkills = 20_000;
const maxVersions = 1_000;

/**
 * Takes a submission down, and makes of the registry's row what follows from it. Within a transaction: two submissions of
 * one version wait for each other, and make one row.
 */
export async function takeSubmission(
  transaction: Queryable,
  submission: ScannedSubmission,
  caller: SkillCaller,
): Promise<TakenSubmission> {
  if (submission.source !== undefined) await saveSource(transaction, submission.contentHash, submission.source);
  await saveAssessment(transaction, submission.assessment);
  const added = await addSkill(transaction, submission);
  const before = added === undefined ? await lockKnown(transaction, submission) : undefined;
  const { skill, status } =
    before === undefined
      ? { skill: added as SkillRow, status: 'analyzed' as const }
      : await renewSkill(transaction, before, submission);
  const id = await addSubmission(transaction, { skill, status, submission, caller });
  return { id, status, before, skill };
}

const contentColumns = ({ contentHash, treeHash, description, author, tags, assessment }: ScannedSubmission) => ({
  description,
  author,
  tags: [...tags],
  content_hash: contentHash,
  tree_hash: treeHash,
  rules_version: assessment.rulesVersion,
  risk_score: assessment.riskScore,
  risk_level: assessment.riskLevel,
  findings_count: assessment.findings.length,
  categories: [...new Set(assessment.findings.map(({ category }) => category))],
});

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
  await checkRoomOrThrow(transaction, name);
  return kysely
    .insertInto('skills')
    .values({ name, version, status: 'pending', submissions_count: 1, ...contentColumns(submission) })
    .onConflict((conflict) => conflict.columns(['name', 'version']).doNothing())
    .returningAll()
    .$castTo<SkillRow>()
    .executeTakeFirst();
}

async function checkRoomOrThrow({ kysely }: Queryable, name: string): Promise<void> {
  const { skills, versions } = await kysely
    .selectFrom('skills')
    .select(({ fn }) => fn.countAll<number>().as('skills'))
    .select(({ fn }) => fn.countAll<number>().filterWhere('name', '=', name).as('versions'))
    .executeTakeFirstOrThrow();
  const full =
    skills >= maxSkills
      ? `The registry has ${maxSkills} skills, and takes no new ones until an admin deletes some`
      : versions >= maxVersions
        ? `The registry has ${maxVersions} versions of this skill, and takes no new ones until an admin deletes some`
        : undefined;
  if (full !== undefined) throw new GatewayError('conflict', { message: full });
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

async function renewSkill(transaction: Queryable, known: SkillRow, submission: ScannedSubmission) {
  const { contentHash, treeHash, assessment } = submission;
  const taken = takeContent(
    {
      status: known.status,
      contentHash: known.content_hash,
      treeHash: known.tree_hash,
      rulesVersion: known.rules_version,
      riskLevel: known.risk_level,
    },
    { contentHash, treeHash, rulesVersion: assessment.rulesVersion, riskLevel: assessment.riskLevel },
  );
  if (known.built_in && taken.replaces) {
    const message = `${known.name} ${known.version} is the gateway's own; submit your skill under another name`;
    throw new GatewayError('conflict', { message });
  }
  const skill = await updateSkill(transaction, known.id, {
    status: taken.status,
    submissions_count: known.submissions_count + 1,
    submitted_at: databaseNow,
    ...(taken.replaces && contentColumns(submission)),
  });
  return { skill, status: taken.submission };
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
  const { assessment } = submission;
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

/** Null for a caller who is not known. */
export const nameOfCaller = (user: SkillCaller['user']): string | null =>
  user === undefined ? null : user.kind === 'user' ? user.username : user.name;
