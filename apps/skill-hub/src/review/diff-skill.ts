import type { SkillDiff } from '@portcullis/contracts/routes/skills';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { createTwoFilesPatch } from 'diff';
import { findAssessment } from '@portcullis/platform/skills/assessment-queries';
import type { PackedFile } from '../scan/pack-skill.ts';
import { findServedPackage } from '../packages/package-queries.ts';
import { compareFindings, recommendChange } from '../registry/compare-findings.ts';
import { unknownSkillId } from '@portcullis/platform/skills/decide-skill';
import { loadAssessmentOf } from '../registry/skill-details.ts';
import { findSkillById, skillRows, type SkillRow } from '@portcullis/platform/skills/skill-queries';

type Side = SkillDiff['from'];

/** Beyond these a diff says no more to a person, and takes long. */
const maxEdits = 4_000;
const maxDiffMs = 200;
const maxDiffLength = 200_000;

/** Compares a row with an earlier one; unless it is named, with what was approved of the same row, or the version before. */
export async function diffSkill(database: Queryable, id: number, previousId: number | undefined): Promise<SkillDiff> {
  const to = await findSkillById(database, id);
  if (to === undefined) throw unknownSkillId(id);
  const from = previousId === undefined ? await findPrevious(database, to) : await findNamed(database, to, previousId);
  const [known, next] = [
    (await findAssessment(database, from.tree_hash ?? from.content_hash, from.rules_version)) ?? unassessed(from),
    await loadAssessmentOf(database, to),
  ];
  const compared = compareFindings(known.findings, next.findings);
  return {
    skill_name: to.name,
    from,
    to: sideOf(to),
    source_diff: await diffSources(database, from, sideOf(to)),
    changed_files: await diffFiles(database, from, sideOf(to)),
    added_findings: [...compared.added],
    removed_findings: [...compared.removed],
    unchanged_findings: [...compared.unchanged],
    risk_score_delta: to.risk_score - from.risk_score,
    recommendation: recommendChange(known, next, compared),
  };
}

const unassessed = (side: Side) => ({ findings: [], riskScore: side.risk_score, riskLevel: side.risk_level });

const sideOf = (row: SkillRow): Side => ({
  id: row.id,
  version: row.version,
  content_hash: row.content_hash,
  tree_hash: row.tree_hash,
  rules_version: row.rules_version,
  risk_score: row.risk_score,
  risk_level: row.risk_level,
});

async function findNamed(database: Queryable, to: SkillRow, previousId: number): Promise<Side> {
  const row = await findSkillById(database, previousId);
  if (row === undefined) throw unknownSkillId(previousId);
  if (row.name !== to.name) {
    throw new GatewayError('bad_request', { message: `previous_id ${previousId} is another skill: ${row.name}` });
  }
  return sideOf(row);
}

async function findPrevious(database: Queryable, to: SkillRow): Promise<Side> {
  const approved = await findApproved(database, to);
  if (approved !== undefined) return approved;
  const before = await skillRows(database)
    .where('name', '=', to.name)
    .where('id', '<', to.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (before === undefined)
    throw new GatewayError('not_found', { message: 'There is no earlier version of this skill' });
  return sideOf(before);
}

/** What was approved of the same row before something else was submitted. */
async function findApproved(database: Queryable, row: SkillRow): Promise<Side | undefined> {
  const { approved_hash: hash, approved_tree_hash: treeHash, approved_rules_version: rules } = row;
  if (hash === null || rules === null || (hash === row.content_hash && treeHash === row.tree_hash)) return undefined;
  const assessment = await findAssessment(database, treeHash ?? hash, rules);
  const risk = {
    risk_score: row.approved_risk_score ?? 0,
    risk_level: assessment?.riskLevel ?? row.risk_level,
  };
  return { id: row.id, version: row.version, content_hash: hash, tree_hash: treeHash, rules_version: rules, ...risk };
}

async function diffSources({ kysely }: Queryable, from: Side, to: Side): Promise<string | null> {
  if (from.content_hash === to.content_hash) return null;
  const rows = await kysely
    .selectFrom('skill_sources')
    .select(['hash', 'source'])
    .where('hash', 'in', [from.content_hash, to.content_hash])
    .execute();
  const sources = new Map(rows.map(({ hash, source }) => [hash, source]));
  const [before, after] = [sources.get(from.content_hash), sources.get(to.content_hash)];
  if (before === undefined || after === undefined) return null;
  const bounds = { context: 3, maxEditLength: maxEdits, timeout: maxDiffMs };
  const patch = createTwoFilesPatch(from.version, to.version, before, after, undefined, undefined, bounds);
  return patch === undefined || patch.length > maxDiffLength ? null : patch;
}

/** Of packages, by the hashes of their files. */
async function diffFiles(database: Queryable, from: Side, to: Side): Promise<SkillDiff['changed_files']> {
  if (from.tree_hash === to.tree_hash) return [];
  const [before, after] = [await findServedPackage(database, from), await findServedPackage(database, to)];
  if (before === undefined || after === undefined) return [];
  const [known, next] = [filesOf(before.files), filesOf(after.files)];
  const paths = [...new Set([...known.keys(), ...next.keys()])].toSorted();
  return paths
    .filter((path) => known.get(path) !== next.get(path))
    .map((path) => ({ path, change: !known.has(path) ? 'added' : !next.has(path) ? 'removed' : 'changed' }));
}

const filesOf = (files: unknown): ReadonlyMap<string, string> =>
  new Map((files as readonly PackedFile[]).map(({ path, sha256 }) => [path, sha256]));
