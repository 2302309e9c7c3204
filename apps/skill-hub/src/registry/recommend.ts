import { skillRiskLevels, type AskedSkillStatus, type SkillRiskLevel } from '@portcullis/contracts/skills';

type ShownRisk = SkillRiskLevel | 'Unknown';

/** What an agent does about a skill that it has. @param wasApproved something else of it is approved */
export function recommendUse(status: AskedSkillStatus, risk: ShownRisk, wasApproved = false): string {
  if (status === 'unknown') return 'Do not use it: submit it with analyze_skill, and wait until it is approved.';
  if (status === 'quarantined') return 'Stop using it and remove it: it is held back because of what it did or may do.';
  if (status === 'rejected') return 'Remove it: an admin rejected it.';
  if (status === 'pending' && wasApproved)
    return 'It changed after its approval and waits for review: use it only if check_skill_approval approves the hash of what you have.';
  if (status === 'pending') return 'Do not use it before an admin approves it.';
  return risk === 'High' || risk === 'Critical'
    ? `It is approved in spite of its ${risk} risk: watch what it does, and report what is odd.`
    : 'It may be used. Check its hash, and report what is odd.';
}

/** Of several skills; what is not known counts as High. */
export function highestRisk(risks: readonly ShownRisk[]): ShownRisk {
  const rankOf = (risk: ShownRisk): number =>
    risk === 'Unknown' ? skillRiskLevels.indexOf('High') : skillRiskLevels.indexOf(risk);
  return risks.reduce<ShownRisk>((highest, risk) => (rankOf(risk) > rankOf(highest) ? risk : highest), 'None');
}
