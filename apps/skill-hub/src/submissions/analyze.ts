import type { SkillAnalysis } from '@portcullis/contracts/skills';
import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Queryable } from '@portcullis/platform/database/database';
import { quotaOf } from '../caller-quota.ts';
import type { Coordination } from '@portcullis/platform/coordination/coordination';
import { assessWithFacts, withFacts } from '../scan/assess-facts.ts';
import { checkSource } from '../scan/check-source.ts';
import { hashSource, type AssessedContent, type Assessor } from '../scan/assessor.ts';
import type { SkillCaller, SkillSubmission } from '../skill-hub.ts';
import { checkSkillName } from '../registry/check-skill-name.ts';
import { spendSubmissionQuota } from './submission-quota.ts';
import { checkName, checkText, checkVersion, firstVersion } from '../registry/check-names.ts';
import { boundHash, findApproved } from '@portcullis/platform/skills/content-queries';
import { countLineChanges } from './count-line-changes.ts';
import { readDeclaredFacts } from './declared-facts.ts';
import { skillEvent, type AnnounceSkill } from '@portcullis/platform/skills/announce-skill';
import {
  nameOfCaller,
  recordSubmission,
  type ScannedSubmission,
  type RecordedSubmission,
} from './record-submission.ts';

export interface AnalyzeParts {
  readonly database: Queryable;
  readonly assessor: Assessor;
  readonly announce: AnnounceSkill;
  readonly coordination: Pick<Coordination, 'buckets'>;
  readonly maxSourceBytes: number;
}

const maxDescriptionLength = 4_000;

/** Scans a source and stores it as a submission. */
export async function analyze(
  parts: AnalyzeParts,
  caller: SkillCaller,
  submission: SkillSubmission,
): Promise<SkillAnalysis> {
  const { source } = submission;
  checkSource(source, parts.maxSourceBytes);
  const described = describe(caller, submission);
  const contentHash = hashSource(source);
  const share = quotaOf(caller);
  await spendSubmissionQuota(parts, share, { ...described, contentHash, bytes: Buffer.byteLength(source) });
  const { assessor } = parts;
  const given = { name: described.name, description: submission.description, author: submission.author };
  const assessed = await assessWithFacts(assessor, given, assessor.assess(contentHash, { source }, share), share);
  const { assessment: content, facts } = assessed;
  const scanned = { ...described, contentHash, treeHash: null, source, content, facts };
  const taken = await saveSubmission(parts.database, caller, scanned);
  await announceChange(parts.announce, taken);
  const assessment = withFacts(content, facts);
  const change = await findChange(parts.database, taken, { source, riskScore: assessment.riskScore });
  return renderAnalysis(taken, { ...assessed, assessment }, change);
}

/** What it is called and says of itself. What is not given is read from its text. */
function describe(caller: SkillCaller, { name, source, version, description, author }: SkillSubmission) {
  const declared = readDeclaredFacts(source);
  return {
    name: checkSkillName('skill_name', name),
    version: checkVersion(version ?? validVersion(declared.version) ?? firstVersion),
    description:
      description === undefined
        ? (declared.description ?? '').slice(0, maxDescriptionLength).toWellFormed()
        : checkText('description', description, maxDescriptionLength),
    author: author === undefined || author === '' ? validName(declared.author) : checkName('author', author),
    tags: declared.tags,
    agentName: checkName('agent_name', caller.agent ?? nameOfCaller(caller.user) ?? 'unknown'),
  };
}

const validVersion = (version: string | undefined): string | undefined =>
  version !== undefined && /^[\w.+-]{1,64}$/.test(version) ? version : undefined;

const validName = (name = ''): string => (name.length <= 200 && !/\p{C}/u.test(name) ? name : '');

/** Stores a scanned skill with its audit record, in one transaction. */
const saveSubmission = (
  { kysely }: Queryable,
  caller: SkillCaller,
  scanned: ScannedSubmission,
): Promise<RecordedSubmission> =>
  kysely.transaction().execute(async (transaction) => {
    const taken = await recordSubmission({ kysely: transaction }, scanned, caller);
    // The same again changes nothing but a count: anyone may submit, and the audit log is kept for good.
    if (taken.isNews) await recordAudit(transaction, auditEntry(auditedCall(caller), submissionAudit(taken, scanned)));
    return taken;
  });

export const submissionAudit = (
  { id, skill, before, contentStatus }: RecordedSubmission,
  { agentName, contentHash, treeHash, content, facts }: ScannedSubmission,
) => ({
  event: 'skill.submitted' as const,
  resource: { type: 'skill', id: skill.id, name: `${skill.name} ${skill.version}` },
  details: {
    submission_id: id,
    agent_name: agentName,
    content_hash: contentHash,
    tree_hash: treeHash,
    risk_score: withFacts(content, facts).riskScore,
    risk_level: withFacts(content, facts).riskLevel,
    status_before: before?.status ?? null,
    status: skill.status,
    content_status: contentStatus,
  },
});

export const auditedCall = ({ user, address, userAgent, requestId }: SkillCaller): AuditedCall => ({
  caller: user,
  clientIp: address,
  userAgent,
  requestId,
});

/** Something waits, perhaps beside what is approved: admins who watch are notified. */
export async function announceChange(
  announce: AnnounceSkill,
  { before, skill, isNews }: RecordedSubmission,
): Promise<void> {
  if (skill.status !== 'pending') return;
  if (before?.status === 'approved') await announce.event(skillEvent('changed', skill));
  if (isNews) await announce.approval(skill.id);
}

/** What came in against what is approved of the same name and version. */
async function findChange(
  database: Queryable,
  { contentStatus, skill }: RecordedSubmission,
  { source, riskScore }: { readonly source: string; readonly riskScore: number },
): Promise<SkillAnalysis['change']> {
  const approved = contentStatus === 'approved' ? undefined : await findApproved(database, skill.id);
  if (approved === undefined) return undefined;
  const known = await database.kysely
    .selectFrom('skill_sources')
    .select('source')
    .where('hash', '=', approved.content_hash)
    .executeTakeFirst();
  const { added, removed } = countLineChanges(known?.source ?? '', source);
  return {
    approved_hash: boundHash(approved),
    risk_score_delta: riskScore - approved.risk_score,
    added_lines: added,
    removed_lines: removed,
  };
}

export const renderAnalysis = (
  { id, status, contentStatus, skill }: RecordedSubmission,
  { assessment, isCached }: AssessedContent,
  change: SkillAnalysis['change'],
): SkillAnalysis => ({
  submission_id: id,
  skill_name: skill.name,
  version: skill.version,
  risk_score: assessment.riskScore,
  risk_level: assessment.riskLevel,
  findings: [...assessment.findings],
  abilities: [...assessment.abilities],
  incomplete: [...assessment.incomplete],
  approval_status: contentStatus,
  submission_status: status,
  content_hash: assessment.contentHash,
  rules_version: assessment.rulesVersion,
  cached: isCached,
  analysis_time_ms: assessment.durationMs,
  ...(change !== undefined && { change }),
});
