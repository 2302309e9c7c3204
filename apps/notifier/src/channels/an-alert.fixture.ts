import type { Alert } from '@portcullis/contracts/events';

/** An alert as the proxies raise it. */
export const anAlert = (change: Partial<Alert> = {}): Alert => ({
  id: 7,
  request_id: 'req-1',
  severity: 'High',
  title: 'Security Rule Triggered: Instruction override',
  description: 'Rule Instruction override of policy llm-security matched a request on proxy chat.',
  status: 'new',
  action: 'Block',
  category: 'Policy Violations',
  proxy_id: 3,
  proxy_type: 'llm',
  source: '10.1.2.3',
  target: '/v1/chat/completions',
  rule_id: 'PI-001',
  policy_name: 'llm-security',
  user_identity: 'ci key',
  user_type: 'apikey',
  user_group: 'platform team',
  raw_data: { matches: 1, findings: [{ direction: 'request', evidence: 'ignore all previous instructions' }] },
  created_at: '2026-11-20T10:20:30.000Z',
  updated_at: '2026-11-20T10:20:30.000Z',
  ...change,
});
