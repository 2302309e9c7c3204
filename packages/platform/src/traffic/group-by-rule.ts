import { policyActions } from '@portcullis/contracts/policy-file';
import { severities } from '@portcullis/contracts/records';
import { enforcedAction } from '@portcullis/core/policy/verdict/decide';
import type { LocatedFinding } from './located-finding.ts';

/** A rule that matched in one direction, in however many policies it stands. */
export interface MatchedRule {
  /** The most severe of its findings. */
  readonly lead: LocatedFinding;
  readonly policies: readonly string[];
  /** One for each place, whichever policy found it. */
  readonly findings: readonly LocatedFinding[];
}

const actions = ['pass', ...policyActions.toReversed()] as const;

/** What is enforced comes before what is tried out, then severity counts, then what is done. */
const weight = (finding: LocatedFinding): number =>
  (finding.shadow === true ? 0 : 1_000) -
  severities.indexOf(finding.severity) * actions.length +
  actions.indexOf(finding.shadow === true ? finding.action : enforcedAction(finding));

const byWeight = (a: LocatedFinding, b: LocatedFinding): number => weight(b) - weight(a);

/** The rules that an alert is about, the most severe first. What is only logged or excepted is not among them. */
export function groupByRule(findings: readonly LocatedFinding[]): readonly MatchedRule[] {
  const groups = new Map<string, LocatedFinding[]>();
  for (const finding of findings) {
    if (finding.action === 'log' || finding.exceptedBy !== undefined) continue;
    const key = `${finding.ruleId}\n${finding.direction}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()].map(mergeFindings).toSorted((a, b) => byWeight(a.lead, b.lead));
}

function mergeFindings(found: readonly LocatedFinding[]): MatchedRule {
  const findings = new Map<string, LocatedFinding>();
  for (const finding of found.toSorted(byWeight)) {
    const place = `${finding.location}\n${finding.start}\n${finding.end}`;
    if (!findings.has(place)) findings.set(place, finding);
  }
  const [lead] = findings.values();
  if (lead === undefined) throw new Error('A rule without findings');
  const policies = [...new Set(found.map(({ policyName }) => policyName))];
  return { lead, policies, findings: [...findings.values()] };
}
