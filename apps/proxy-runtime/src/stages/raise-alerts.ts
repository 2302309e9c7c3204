import type { AlertAction } from '@portcullis/contracts/records';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import { enforcedAction } from '@portcullis/core/policy/verdict/decide';
import type { Exchange, LocatedFinding } from '../exchange.ts';
import { alertRecord } from './alert-record.ts';

/** Alerts of one exchange at most: one text with a hundred hits is one incident, not a hundred. */
const maxAlerts = 10;
/** Findings shown as evidence of one alert. */
const maxEvidence = 5;

/** What was done about one rule's findings; whatever was merely tried out changed nothing. */
const actionTaken = (exchange: Exchange, findings: readonly LocatedFinding[]): AlertAction => {
  const reason = (exchange.ending ?? exchange.refusal)?.reason;
  const blocked = reason === 'policy_violation' || reason === 'policy_violation_response';
  const actions = new Set(findings.map(enforcedAction));
  if (blocked && (actions.has('block') || actions.has('redact'))) return 'Block';
  return actions.has('redact') ? 'Redact' : 'Monitor';
};

const outcomes: Readonly<Record<AlertAction, string>> = {
  Block: 'blocked',
  Redact: 'redacted',
  Monitor: 'let through',
  Log: 'let through',
};

const groupByRule = (findings: readonly LocatedFinding[]): readonly (readonly LocatedFinding[])[] => {
  const groups = new Map<string, LocatedFinding[]>();
  for (const finding of findings) {
    if (finding.action === 'log') continue;
    const key = `${finding.policyName}\n${finding.ruleId}\n${finding.direction}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()].slice(0, maxAlerts);
};

const describe = (exchange: Exchange, finding: LocatedFinding, action: AlertAction): string =>
  `Rule ${finding.ruleName} of policy ${finding.policyName} matched a ${finding.direction} on proxy ` +
  `${exchange.proxy.name}; the ${finding.direction} was ${outcomes[action]}` +
  (finding.shadow === true ? ': the policy is in shadow mode.' : '.');

/** Turns the findings of an exchange that nobody was told of into alerts, one for each rule that matched. */
export const raiseAlerts: SettleStage<Exchange> = {
  name: 'raise-alerts',
  on: ['llm', 'mcp'],
  run(exchange) {
    if (exchange.findings.length === exchange.toldFindings) return;
    const untold = exchange.findings.slice(exchange.toldFindings);
    exchange.toldFindings = exchange.findings.length;
    for (const findings of groupByRule(untold)) {
      const [first] = findings;
      if (first === undefined) continue;
      const action = actionTaken(exchange, findings);
      const record = alertRecord(exchange, {
        severity: first.severity,
        title: `Security Rule Triggered: ${first.ruleName}`,
        description: describe(exchange, first, action),
        action,
        category: first.category,
        rule_id: first.ruleId,
        policy_name: first.policyName,
        raw_data: {
          matches: findings.length,
          ...(first.shadow === true && { shadow: true, would: first.action }),
          findings: findings.slice(0, maxEvidence).map(({ direction, origin, location, start, end, evidence }) => ({
            direction,
            origin,
            location,
            start,
            end,
            evidence,
          })),
        },
      });
      exchange.records.push(record);
    }
  },
};
