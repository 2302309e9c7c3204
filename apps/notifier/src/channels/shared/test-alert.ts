import type { Alert } from '@portcullis/contracts/events';

/** What destinations that take nothing but alerts are tried with. It says that it is a test, and has no record. */
export const testAlert = (): Alert => {
  const now = new Date().toISOString();
  return {
    id: 0,
    request_id: null,
    severity: 'Low',
    title: 'Test of the integration',
    description: 'This is a test message. Alerts of the gateway will arrive here.',
    status: 'new',
    action: 'Monitor',
    category: 'Other',
    proxy_id: null,
    proxy_type: null,
    source: 'portcullis',
    target: '',
    rule_id: 'TEST',
    policy_name: 'test',
    user_identity: null,
    user_type: null,
    user_group: null,
    assignee: null,
    raw_data: {},
    created_at: now,
    updated_at: now,
  };
};
