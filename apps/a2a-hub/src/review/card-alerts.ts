import type { ToolFinding } from '@portcullis/contracts/routes/mcp-tools';
import type { AlertRecord } from '@portcullis/contracts/records';
import type { Queryable } from '@portcullis/platform/database/database';
import { renderJson } from '@portcullis/platform/spool/record-line';
import { insertAlertRecords } from '@portcullis/platform/spool/record-inserts';
import { randomUUIDv7 } from 'node:crypto';
import type { CardChangeRow } from '@portcullis/platform/agents/card-change-queries';

interface AlertedAgent {
  readonly id: number;
  readonly name: string;
}

const maxShownDifferences = 10;

type AlertFacts = Pick<
  AlertRecord,
  'severity' | 'title' | 'description' | 'action' | 'category' | 'rule_id' | 'policy_name' | 'raw_data'
>;

const alertOf = ({ id }: AlertedAgent, facts: AlertFacts): AlertRecord => ({
  kind: 'alert',
  event_id: randomUUIDv7(),
  timestamp: new Date().toISOString(),
  request_id: null,
  proxy_id: null,
  proxy_type: 'a2a',
  source: `agent:${id}`,
  target: 'card',
  user_identity: null,
  user_type: null,
  user_group: null,
  ...facts,
});

/** Raises an alert for each thing that was found in a card, and for a change that an admin did not make. */
export async function alertCard(
  { kysely }: Queryable,
  agent: AlertedAgent,
  { findings, change }: { readonly findings: readonly ToolFinding[]; readonly change?: CardChangeRow | undefined },
): Promise<void> {
  const isHeld = change?.status === 'pending';
  const alerts = findings.map((finding) => findingAlert(agent, finding, isHeld));
  if (change !== undefined && change.source === 'check') alerts.push(changeAlert(agent, change));
  const lowered = change?.differences.find(({ type }) => type === 'protocol_version_lowered');
  if (lowered !== undefined) alerts.push(downgradeAlert(agent, lowered, isHeld));
  if (alerts.length > 0) await insertAlertRecords(kysely, `[${alerts.map(renderJson).join(',')}]`);
}

function changeAlert(agent: AlertedAgent, change: CardChangeRow): AlertRecord {
  const isHeld = change.status === 'pending';
  const types = [...new Set(change.differences.map(({ type }) => type))];
  const outcome = isHeld ? ' The known card stays in force until an admin approves the change.' : '';
  return alertOf(agent, {
    severity: change.severity,
    title: `Agent Card Change: ${types[0] ?? 'changed'}`,
    description: `The agent ${agent.name} changed its card: ${types.join(', ')}.${outcome}`,
    action: isHeld ? 'Block' : 'Monitor',
    category: 'Other',
    rule_id: `AGENT_CARD_CHANGE_${types[0] ?? 'changed'}`,
    policy_name: 'agent-card-monitor',
    raw_data: {
      change_id: change.id,
      differences: change.differences.slice(0, maxShownDifferences),
      signature: change.signature.status,
    },
  });
}

/** Also where an admin has had the card read again: older generations lack what the newer ones protect by. */
const downgradeAlert = (
  agent: AlertedAgent,
  { before, after }: CardChangeRow['differences'][number],
  isHeld: boolean,
): AlertRecord =>
  alertOf(agent, {
    severity: 'High',
    title: 'Agent Card Offers Older Protocol',
    description: `The agent ${agent.name} offers an older generation of A2A than before.`,
    action: isHeld ? 'Block' : 'Monitor',
    category: 'Other',
    rule_id: 'A2A_PROTOCOL_DOWNGRADE',
    policy_name: 'agent-card-monitor',
    raw_data: { before, after },
  });

const findingAlert = (agent: AlertedAgent, finding: ToolFinding, isHeld: boolean): AlertRecord =>
  alertOf(agent, {
    severity: finding.severity,
    title: `Security Rule Triggered: ${finding.rule_name}`,
    description: `Rule ${finding.rule_name} of policy ${finding.policy_name} matched the card of the agent ${agent.name}.`,
    action: isHeld ? 'Block' : 'Monitor',
    category: 'Tool Security',
    rule_id: finding.rule_id,
    policy_name: finding.policy_name,
    raw_data: { location: finding.location, evidence: finding.evidence },
  });
