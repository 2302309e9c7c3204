import type { SkillAssessment } from '../../../packages/core/src/skills/finding.ts';
import { createSkillScanner } from '../../../packages/core/src/skills/scan/scan-skill.ts';
import { CountTable, percent, renderTable } from '../counts.ts';
import { isHeldOutSource, loadSkillSamples, ownSkillSamples, type SkillSample } from './skill-samples.ts';

interface Options {
  /** A folder of labelled skills; without it the examples of the rules. */
  readonly data?: string | undefined;
  /** Only the sources that were looked at while rules were written, or only the others. */
  readonly half?: string | undefined;
  /** Names what is told wrong, with its findings. */
  readonly list?: boolean | undefined;
}

/** Scores from which a skill is blocked (High or Critical), and from which a person looks at it (Medium or above). */
const blockFrom = 30;
const reviewFrom = 15;

/** What the examples of the rules may not fall below or rise above. */
const floors = { review: 0.97, falsePositives: 0 };

/** Recall and false positives of the skill scanner at both working points, by tier; answers what fell below its floor. */
export function reportSkills({ data, half, list = false }: Options): readonly string[] {
  const scanner = createSkillScanner();
  const samples = data === undefined ? ownSkillSamples() : loadSkillSamples(data);
  const table = new CountTable();
  let [bytes, ms] = [0, 0];
  for (const sample of samples) {
    if (half !== undefined && data !== undefined && isHeldOutSource(sample.source) !== (half === 'held')) continue;
    const from = performance.now();
    const assessment = scanner.scan(sample.skill);
    ms += performance.now() - from;
    bytes += sample.bytes;
    count(table, sample, assessment.score);
    if (list && isWrong(sample, assessment.score)) printSample(sample, assessment);
  }
  const cells = [...table.rows]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { total, enforced, found }]) => [
      name,
      String(total),
      percent(enforced, total),
      percent(found, total),
    ]);
  console.log(`\n${renderTable(['skills', 'number', 'block', 'review'], cells)}`);
  console.log(`\n${(bytes / 1e6).toFixed(1)} MB in ${(ms / 1e3).toFixed(1)} s: ${(bytes / 1e3 / ms).toFixed(1)} MB/s`);
  return data === undefined ? checkFloors(table) : [];
}

function count(table: CountTable, { label, tier, source }: SkillSample, score: number): void {
  const [blocked, reviewed] = [score >= blockFrom, score >= reviewFrom];
  table.add(`${label}, all`, blocked, reviewed);
  table.add(`${label}, tier ${tier}`, blocked, reviewed);
  if (label === 'benign' && source !== 'own') table.add(`${label}, of ${source}`, blocked, reviewed);
}

const isWrong = ({ label }: SkillSample, score: number): boolean =>
  label === 'benign' ? score >= reviewFrom : score < blockFrom;

function printSample({ id, label }: SkillSample, { score, findings }: SkillAssessment): void {
  console.log(`${id} (${label}): ${score}`);
  for (const { ruleId, severity, weight, file, line, excerpt } of findings.slice(0, 8))
    console.log(`    ${ruleId} ${severity} × ${weight.toFixed(2)} ${file}:${line} ${JSON.stringify(excerpt)}`);
}

function checkFloors({ rows }: CountTable): readonly string[] {
  const malicious = rows.get('malicious, all');
  const benign = rows.get('benign, all');
  if (malicious === undefined || benign === undefined) return ['skills: no examples'];
  const faults: string[] = [];
  if (malicious.found / malicious.total < floors.review)
    faults.push(
      `skills: ${percent(malicious.found, malicious.total)} of the malicious examples are for review or blocked`,
    );
  if (benign.enforced / benign.total > floors.falsePositives)
    faults.push(`skills: ${percent(benign.enforced, benign.total)} of the harmless examples are blocked`);
  return faults;
}
