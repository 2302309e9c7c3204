import { randomUUIDv7 } from 'node:crypto';
import type { ToolFinding } from '@portcullis/contracts/routes/mcp-tools';
import type { AlertRecord } from '@portcullis/contracts/records';
import type { Queryable } from '@portcullis/platform/database/database';
import { renderJson } from '@portcullis/platform/spool/record-line';
import { insertAlertRecords } from '@portcullis/platform/spool/record-inserts';
import type { AppliedToolSync, WatchedProxy } from './apply-tool-sync.ts';
import type { ChangeRow } from './change-queries.ts';
import type { ScannedInstructions, ScannedTool } from './scanned-tools.ts';

/** Alerts of one look at a target at most. */
const maxAlerts = 100;
const maxShownDifferences = 10;

/** Raises an alert for each change, and for each rule that found something in what is new or changed. */
export async function alertChanges(
  { kysely }: Queryable,
  proxy: WatchedProxy,
  { added, changes }: AppliedToolSync,
  firstInstructions?: ScannedInstructions,
): Promise<void> {
  const changed = new Set(changes.map(({ tool_name }) => tool_name));
  const poisoned = [
    ...changes.flatMap((change) =>
      change.findings.map((finding) => findingAlert(proxy, change.tool_name, finding, change.status === 'pending')),
    ),
    ...added.filter(({ name }) => !changed.has(name)).flatMap((tool) => firstFindings(proxy, tool)),
    ...(firstInstructions?.findings ?? []).map((finding) => findingAlert(proxy, null, finding, false)),
  ];
  const alerts = [...poisoned, ...changes.map((change) => changeAlert(proxy, change))].slice(0, maxAlerts);
  if (alerts.length > 0) await insertAlertRecords(kysely, `[${alerts.map(renderJson).join(',')}]`);
}

const firstFindings = (proxy: WatchedProxy, { name, findings }: ScannedTool): readonly AlertRecord[] =>
  findings.map((finding) => findingAlert(proxy, name, finding, true));

type AlertFacts = Pick<
  AlertRecord,
  'severity' | 'title' | 'description' | 'action' | 'category' | 'rule_id' | 'policy_name' | 'raw_data'
>;

const alertOf = ({ id }: WatchedProxy, toolName: string | null, facts: AlertFacts): AlertRecord => ({
  kind: 'alert',
  event_id: randomUUIDv7(),
  timestamp: new Date().toISOString(),
  request_id: null,
  proxy_id: id,
  proxy_type: 'mcp',
  source: `proxy:${id}`,
  target: toolName === null ? 'instructions' : `tool:${toolName}`,
  user_identity: null,
  user_type: null,
  user_group: null,
  ...facts,
});

const nameOf = (toolName: string | null): string =>
  toolName === null ? 'the instructions of the server' : `the tool ${JSON.stringify(toolName)}`;

const happenings: Readonly<Record<ChangeRow['change_type'], string>> = {
  new_tool: 'offers a new tool',
  removed_tool: 'no longer offers a tool',
  returned_tool: 'offers a tool again',
  description_changed: 'changed the description of a tool',
  schema_changed: 'changed the schema of a tool',
  annotations_changed: 'changed the annotations of a tool',
  tool_changed: 'changed a tool',
  instructions_changed: 'changed its instructions',
};

function changeAlert(proxy: WatchedProxy, change: ChangeRow): AlertRecord {
  const isHeld = change.status === 'pending';
  const outcome = isHeld ? ' It is held until an admin approves the change.' : '';
  return alertOf(proxy, change.tool_name, {
    severity: change.severity,
    title: `MCP Tool Change: ${change.change_type}${change.tool_name === null ? '' : ` (${change.tool_name})`}`,
    description: `The target of proxy ${proxy.name} ${happenings[change.change_type]}: ${nameOf(change.tool_name)}.${outcome}`,
    action: isHeld ? 'Block' : 'Monitor',
    category: 'MCP Tool Changes',
    rule_id: `MCP_TOOL_CHANGE_${change.change_type}`,
    policy_name: 'mcp-tool-monitor',
    raw_data: {
      change_id: change.id,
      change_type: change.change_type,
      tool: change.tool_name,
      similarity: change.similarity,
      differences: change.differences.slice(0, maxShownDifferences),
      source: change.source,
    },
  });
}

const findingAlert = (
  proxy: WatchedProxy,
  toolName: string | null,
  finding: ToolFinding,
  isHidden: boolean,
): AlertRecord =>
  alertOf(proxy, toolName, {
    severity: finding.severity,
    title: `Security Rule Triggered: ${finding.rule_name}`,
    description:
      `Rule ${finding.rule_name} of policy ${finding.policy_name} matched ${nameOf(toolName)} ` +
      `on proxy ${proxy.name}${isHidden ? ', which no client can see or call until an admin opens it' : ''}.`,
    action: isHidden ? 'Block' : 'Monitor',
    category: 'Tool Security',
    rule_id: finding.rule_id,
    policy_name: finding.policy_name,
    raw_data: { tool: toolName, location: finding.location, evidence: finding.evidence },
  });
