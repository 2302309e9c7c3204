import { hash } from 'node:crypto';
import type { SkillFinding } from '../finding.ts';

/**
 * A name for each finding that stays the same in another version of the skill: by rule, file and matched text, not by the
 * line, which moves. Findings that are alike in all of these are told apart by their order.
 */
export function fingerprintFindings(findings: readonly SkillFinding[]): readonly string[] {
  const counts = new Map<string, number>();
  return findings.map(({ ruleId, file, excerpt, strength }) => {
    const same = [ruleId, strength === 'capability', file, excerpt.replaceAll(/\s+/g, ' ').trim()].join('\n');
    const count = (counts.get(same) ?? 0) + 1;
    counts.set(same, count);
    return hash('sha256', `${same}\n${count}`).slice(0, 16);
  });
}
