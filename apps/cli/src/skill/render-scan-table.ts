import type { SkillFinding } from '@portcullis/core/skills/finding';
import type { CommandIo, Look } from '../command.ts';
import { printable } from '../printable.ts';
import { renderTable } from '../render-table.ts';
import { leastScoreOf, type ScanOptions } from './scan-options.ts';
import type { ScannedSkill, ScanResult } from './scan-target.ts';
import { renderLocation } from './skill-location.ts';

const looks: Readonly<Record<string, Look>> = { Critical: 'red', High: 'red', Medium: 'yellow', None: 'green' };

/** Of one skill; the other formats tell all. */
const maxShownFindings = 20;

/** What was found, for people: each skill with its findings, the gravest first. */
export function renderScanTable({ skills, refused }: ScanResult, options: ScanOptions, io: CommandIo): string {
  // A file has no colours.
  const style: CommandIo['style'] = options.output === undefined ? io.style : (_look, text) => text;
  const parts = [
    ...skills.map((skill) => renderSkill(skill, style)),
    ...refused.map(
      ({ path, fault }) =>
        `${style('bold', printable(path))}  ${style('red', 'refused')} (${fault.code})\n  ${fault.message}\n`,
    ),
    renderSum(skills, refused.length, options),
  ];
  return parts.join('\n');
}

function renderSkill(skill: ScannedSkill, style: CommandIo['style']): string {
  const { level, score, findings, abilities, incomplete } = skill.assessment;
  const lines = [
    `${style('bold', printable(renderLocation(skill)))}  ${style(looks[level] ?? 'bold', level)} (${score} of 100)`,
  ];
  if (findings.length > 0) lines.push('', ...renderFindings(findings.slice(0, maxShownFindings), style));
  if (findings.length > maxShownFindings)
    lines.push(`  and ${findings.length - maxShownFindings} more: --format json shows all`);
  const can = [...new Set(abilities.map(({ ruleName }) => ruleName))];
  if (can.length > 0) lines.push(`  able to: ${can.join('; ')}`);
  lines.push(...incomplete.slice(0, maxShownFindings).map((note) => `  not read: ${printable(note)}`));
  if (incomplete.length > maxShownFindings) lines.push(`  not read: ${incomplete.length - maxShownFindings} more`);
  return `${lines.join('\n')}\n`;
}

function renderFindings(findings: readonly SkillFinding[], style: CommandIo['style']): readonly string[] {
  const rows = findings.map(({ severity, ruleId, file, line }) => [severity, ruleId, printable(`${file}:${line}`)]);
  return renderTable(rows)
    .split('\n')
    .flatMap((row, index) => {
      const { excerpt = '', reason = '', remedy = '' } = findings[index] ?? {};
      return [`  ${row}`, `    ${style('dim', printable(excerpt))}`, `    ${reason}`, `    ${remedy}`, ''];
    });
}

function renderSum(skills: readonly ScannedSkill[], refused: number, { failOn }: ScanOptions): string {
  const reached = skills.filter(({ assessment }) => assessment.score >= leastScoreOf[failOn]).length;
  const counted = skills.length === 1 ? '1 skill' : `${skills.length} skills`;
  const what = failOn === 'never' ? '' : `, ${reached} of them ${failOn[0]?.toUpperCase()}${failOn.slice(1)} or above`;
  return `${counted} scanned${what}${refused > 0 ? `, ${refused} refused` : ''}.\n`;
}
