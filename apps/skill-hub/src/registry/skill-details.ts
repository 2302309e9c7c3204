import type { SkillApproval, SkillComparison, SkillDetails, SkillStatusReport } from '@portcullis/contracts/skills';
import { maxAskedSkills } from '@portcullis/contracts/skills';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql } from 'kysely';
import { findAssessment, type Assessment } from '@portcullis/platform/skills/assessment-queries';
import { withFacts } from '../scan/assess-facts.ts';
import type { SkillReference } from '../skill-hub.ts';
import { checkName, checkVersion } from './check-names.ts';
import {
  boundHash,
  contentRows,
  findApproved,
  findApprovedIds,
  isPartOfPackage,
} from '@portcullis/platform/skills/content-queries';
import { compareFindings, recommendChange } from './compare-findings.ts';
import { highestRisk, recommendUse } from './recommend.ts';
import { renderSkill } from './render-skill.ts';
import { findSkill, listVersions, type ListedSkillRow, type SkillRow } from '@portcullis/platform/skills/skill-queries';

/** What was found in what the registry knows. What was judged is there as long as the row is. */
export async function loadAssessmentOf(database: Queryable, row: SkillRow): Promise<Assessment> {
  const { content_hash: contentHash, tree_hash: treeHash, facts_hash: factsHash, rules_version: rulesVersion } = row;
  const content = await findAssessment(database, treeHash ?? contentHash, rulesVersion);
  const facts = factsHash === null ? undefined : await findAssessment(database, factsHash, rulesVersion);
  if (content !== undefined) return withFacts(content, facts);
  return {
    findings: [],
    abilities: [],
    incomplete: ['The findings of this skill are gone: submit it again'],
    contentHash,
    rulesVersion,
    riskScore: row.risk_score,
    riskLevel: row.risk_level,
    durationMs: 0,
  };
}

export async function loadDetails(database: Queryable, row: ListedSkillRow): Promise<SkillDetails> {
  const { findings, abilities, incomplete } = await loadAssessmentOf(database, row);
  const { approved_risk_score: approvedScore } = row;
  const waitsAgain = row.status === 'pending' && approvedScore !== null;
  return {
    ...renderSkill(row),
    findings: [...findings],
    abilities: [...abilities],
    incomplete: [...incomplete],
    versions: await listVersions(database, row.name),
    approved_hash: row.approved_hash,
    approved_risk_score: approvedScore,
    risk_score_delta: waitsAgain ? row.risk_score - approvedScore : null,
  };
}

export async function findSkillOrThrow(database: Queryable, skill: SkillReference): Promise<ListedSkillRow> {
  const name = checkName('skill_name', skill.name);
  const version = skill.version === undefined ? undefined : checkVersion(skill.version);
  const row = await findSkill(database, { name, version });
  if (row !== undefined) return row;
  const what = version === undefined ? `the skill ${name}` : `version ${version} of the skill ${name}`;
  throw new GatewayError('not_found', { message: `The registry does not know ${what}` });
}

const hashForm = /^[0-9a-f]{64}$/;

export async function loadApproval(
  database: Queryable,
  skill: SkillReference & { readonly contentHash?: string | undefined },
): Promise<SkillApproval> {
  const name = checkName('skill_name', skill.name);
  const version = skill.version === undefined ? undefined : checkVersion(skill.version);
  const hash = skill.contentHash?.toLowerCase();
  if (hash !== undefined && !hashForm.test(hash)) {
    throw new GatewayError('bad_request', { message: 'content_hash must be a SHA-256 in 64 hexadecimal digits' });
  }
  const row =
    hash === undefined ? await findSkill(database, { name, version }) : await findByHash(database, name, version, hash);
  const isPart = hash !== undefined && row?.status !== 'approved' && (await isPartOfPackage(database, name, hash));
  if (row === undefined) {
    const isKnown = hash !== undefined && (await findSkill(database, { name, version })) !== undefined;
    const other = 'The registry knows this skill with another content; submit this one with analyze_skill';
    return unknownApproval(name, version ?? null, isPart ? partNote : isKnown ? other : null);
  }
  const approved = row.status === 'approved';
  const stays = hash === undefined && row.status === 'pending' ? await findApproved(database, row.id) : undefined;
  return {
    skill_name: row.name,
    version: row.version,
    approved,
    status: row.status,
    risk_score: row.risk_score,
    risk_level: row.risk_level,
    content_hash: row.content_hash,
    approved_at: approved ? (row.approved_at?.toISOString() ?? null) : null,
    notes: isPart ? partNote : stays === undefined ? row.review_notes : changedNote(stays),
  };
}

const unknownApproval = (name: string, version: string | null, notes: string | null): SkillApproval => ({
  skill_name: name,
  version,
  approved: false,
  status: 'unknown',
  risk_score: 0,
  risk_level: 'Unknown',
  content_hash: null,
  approved_at: null,
  notes,
});

/** By the hash of the source, of the files, or of the package that was downloaded. Of a package its SKILL.md alone says nothing. */
const findByHash = (database: Queryable, name: string, version: string | undefined, hash: string) =>
  contentRows(database)
    .where('name', '=', name)
    .$if(version !== undefined, (query) => query.where('version', '=', version as string))
    .where(({ eb, or, and, exists, selectFrom }) =>
      or([
        and([eb('content_hash', '=', hash), eb('tree_hash', 'is', null)]),
        eb('tree_hash', '=', hash),
        exists(
          selectFrom('skill_packages as p')
            .select('p.id')
            .whereRef('p.skill_id', '=', 'skills.id')
            .whereRef('p.tree_hash', '=', 'skills.tree_hash')
            .where('p.sha256', '=', hash),
        ),
      ]),
    )
    .orderBy(sql`status = 'approved'`, 'desc')
    .orderBy('submitted_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Why a skill that was approved is not by its name alone. */
const changedNote = (approved: SkillRow): string =>
  `It changed after its approval and waits for review. What was approved stays so: the content with SHA-256 ${boundHash(approved)}`;

const partNote =
  'This is the SKILL.md of a package. What is approved is the package: ask with its tree_hash, or with the SHA-256 of the ZIP that download_skill answered';

export async function loadStatuses(database: Queryable, names: readonly string[]): Promise<SkillStatusReport> {
  if (names.length === 0 || names.length > maxAskedSkills) {
    const message = `skill_names has ${names.length} names; allowed are 1 to ${maxAskedSkills}`;
    throw new GatewayError('bad_request', { message });
  }
  const asked = names.map((name, index) => checkName(`skill_names[${index}]`, name));
  const rows = await database.kysely
    .selectFrom('skills')
    .selectAll()
    .distinctOn('name')
    .where('name', '=', sql<string>`any(${asked}::text[])`)
    .orderBy('name')
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .$castTo<SkillRow>()
    .execute();
  const known = new Map(rows.map((row) => [row.name, row]));
  const approved = await findApprovedIds(
    database,
    rows.filter(({ status }) => status === 'pending').map(({ id }) => id),
  );
  const statuses = asked.map((name): SkillStatusReport['skill_statuses'][number] => {
    const row = known.get(name);
    const [status, risk] = [row?.status ?? 'unknown', row?.risk_level ?? 'Unknown'] as const;
    return {
      skill_name: name,
      version: row?.version ?? null,
      status,
      risk_score: row?.risk_score ?? 0,
      risk_level: risk,
      recommendation: recommendUse(status, risk, row !== undefined && approved.has(row.id)),
    };
  });
  return {
    skill_statuses: statuses,
    overall_risk: highestRisk(statuses.map((one) => one.risk_level)),
    unapproved_count: statuses.filter(({ status }) => status !== 'approved').length,
    recommendations: statuses
      .filter(({ status, risk_level: risk }) => status !== 'approved' || risk === 'High' || risk === 'Critical')
      .map(({ skill_name: name, recommendation }) => `${name}: ${recommendation}`),
  };
}

export async function compareVersions(
  database: Queryable,
  { name, from, to }: { readonly name: string; readonly from: string; readonly to: string },
): Promise<SkillComparison> {
  const before = await findSkillOrThrow(database, { name, version: checkVersion(from, 'from_version') });
  const after = await findSkillOrThrow(database, { name, version: checkVersion(to, 'to_version') });
  const [known, next] = [await loadAssessmentOf(database, before), await loadAssessmentOf(database, after)];
  const compared = compareFindings(known.findings, next.findings);
  return {
    skill_name: after.name,
    from_version: before.version,
    to_version: after.version,
    added_findings: [...compared.added],
    removed_findings: [...compared.removed],
    unchanged_findings: [...compared.unchanged],
    risk_score_delta: after.risk_score - before.risk_score,
    recommendation: recommendChange(known, next, compared),
  };
}
