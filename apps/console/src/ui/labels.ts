import type { AlertAction, AlertStatus, ProxyType, SessionSource, Severity } from '@portcullis/contracts/records';
import type { ApprovalKind, ApprovalStatus } from '@portcullis/contracts/routes/approvals';
import type { RequestOutcome } from '@portcullis/contracts/routes/requests';

/** What people read in place of the words of the API. A new word there does not compile until it has its label here. */
export const statusLabels: Readonly<Record<AlertStatus, string>> = {
  new: 'New',
  acknowledged: 'Acknowledged',
  in_progress: 'In progress',
  resolved: 'Resolved',
  false_positive: 'False positive',
};

export const actionLabels: Readonly<Record<AlertAction, string>> = {
  Block: 'Blocked',
  Redact: 'Redacted',
  Monitor: 'Let through',
  Log: 'Logged',
};

export const severityLabels: Readonly<Record<Severity, string>> = {
  Critical: 'Critical',
  High: 'High',
  Medium: 'Medium',
  Low: 'Low',
};

export const outcomeLabels: Readonly<Record<RequestOutcome, string>> = {
  passed: 'Passed',
  refused: 'Refused',
  failed: 'Failed',
};

export const proxyTypeLabels: Readonly<Record<ProxyType, string>> = {
  llm: 'LLM API',
  mcp: 'MCP server',
  a2a: 'A2A agent',
};

export const approvalKindLabels: Readonly<Record<ApprovalKind, string>> = {
  tool: 'Tool',
  card: 'Agent card',
  skill: 'Skill',
};

export const approvalStatusLabels: Readonly<Record<ApprovalStatus, string>> = {
  pending: 'Waiting',
  approved: 'Approved',
  rejected: 'Rejected',
  reverted: 'Taken back',
};

export const sessionSourceLabels: Readonly<Record<SessionSource, string>> = {
  agent: 'an id of the agent',
  trace: 'a trace',
  mcp: 'the session of an MCP server',
  a2a: 'the context of an A2A agent',
  conversation: 'the beginning of a conversation',
};
