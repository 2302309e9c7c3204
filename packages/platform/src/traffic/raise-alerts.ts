import type { ErrorReason } from '@portcullis/contracts/errors';
import type { AlertAction } from '@portcullis/contracts/records';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import { enforcedAction } from '@portcullis/core/policy/verdict/decide';
import type { LocatedFinding } from './located-finding.ts';
import type { TrafficExchange } from './traffic-exchange.ts';
import { alertRecord, nameOf } from './alert-record.ts';
import { groupByRule, type MatchedRule } from './group-by-rule.ts';

/** Rules that one alert names, and findings that it shows of each. */
const maxRules = 20;
const maxEvidence = 5;
/** Other rules that the description names. */
const maxNames = 10;

/** What was done about the findings; what was merely tried out changed nothing. */
const actionTaken = (exchange: TrafficExchange, findings: readonly LocatedFinding[]): AlertAction => {
  const actions = new Set(findings.map(enforcedAction));
  const blocked = blockedDirection(exchange) !== undefined;
  if (blocked && (actions.has('block') || actions.has('redact'))) return 'Block';
  return actions.has('redact') || actions.has('replace') ? 'Redact' : 'Monitor';
};

const refusedAnswers: ReadonlySet<ErrorReason> = new Set([
  'policy_violation_response',
  'target_redirected',
  'agent_redirected',
]);

const blockedDirection = ({ ending, refusal }: TrafficExchange): LocatedFinding['direction'] | undefined => {
  const reason = (ending ?? refusal)?.reason;
  if (reason === 'policy_violation') return 'request';
  return reason !== undefined && refusedAnswers.has(reason) ? 'response' : undefined;
};

const outcomes: Readonly<Record<AlertAction, string>> = {
  Block: 'blocked',
  Redact: 'redacted',
  Monitor: 'let through',
  Log: 'let through',
};

function describe(exchange: TrafficExchange, [{ lead }, ...others]: RuleList, action: AlertAction): string {
  const subject = (action === 'Block' ? blockedDirection(exchange) : undefined) ?? lead.direction;
  const names = others.slice(0, maxNames).map((rule) => `${rule.lead.ruleName} (${rule.policies.join(', ')})`);
  if (others.length > maxNames) names.push(`${others.length - maxNames} more`);
  const isReplaced = action === 'Redact' && enforcedAction(lead) === 'replace';
  return (
    `Rule ${lead.ruleName} of policy ${lead.policyName} matched a ${lead.direction} on ` +
    `${nameOf(exchange)}; ${isReplaced ? 'the text was replaced by a note' : `the ${subject} was ${outcomes[action]}`}` +
    (lead.shadow === true ? ': the policy is in shadow mode.' : '.') +
    (names.length > 0 ? ` Other rules that matched: ${names.join(', ')}.` : '')
  );
}

type RuleList = readonly [MatchedRule, ...MatchedRule[]];

const renderRule = ({ lead, policies, findings }: MatchedRule) => ({
  rule_id: lead.ruleId,
  policies,
  severity: lead.severity,
  direction: lead.direction,
  matches: findings.length,
  ...(lead.shadow === true && { shadow: true }),
  action: lead.action,
});

const renderFindings = ({ findings }: MatchedRule) =>
  findings.slice(0, maxEvidence).map(({ ruleId, direction, origin, location, start, end, evidence }) => ({
    rule_id: ruleId,
    direction,
    origin,
    location,
    start,
    end,
    evidence,
  }));

const isAny = (rules: readonly MatchedRule[]): rules is RuleList => rules.length > 0;

/** Turns all findings of an exchange that were not reported yet into one alert, led by the most severe of its rules. */
export const raiseAlerts: SettleStage<TrafficExchange> = {
  name: 'raise-alerts',
  run(exchange) {
    if (exchange.findings.length === exchange.alertedFindings) return;
    const unreported = exchange.findings.slice(exchange.alertedFindings);
    exchange.alertedFindings = exchange.findings.length;
    const rules = groupByRule(unreported);
    if (!isAny(rules)) return;
    const [{ lead }] = rules;
    const action = actionTaken(exchange, unreported);
    const record = alertRecord(exchange, {
      severity: lead.severity,
      title: `Security Rule Triggered: ${lead.ruleName}`,
      description: describe(exchange, rules, action),
      action,
      category: lead.category,
      rule_id: lead.ruleId,
      policy_name: lead.policyName,
      raw_data: {
        matches: rules.reduce((sum, { findings }) => sum + findings.length, 0),
        ...(lead.shadow === true && { shadow: true, would: lead.action }),
        rules: rules.slice(0, maxRules).map(renderRule),
        findings: rules.slice(0, maxRules).flatMap(renderFindings),
      },
    });
    exchange.records.push(record);
  },
};
