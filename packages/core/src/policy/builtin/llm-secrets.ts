import type { Policy } from '../policy.ts';

/** Secrets by their structure, on their way to a model or back from it. */
export const llmSecrets: Policy = {
  name: 'llm-secrets',
  version: '1.0',
  description: 'Credentials recognised by their structure, in requests and responses.',
  severity: 'Critical',
  policy_type: 'both',
  rules: [
    {
      id: 'github-token',
      name: 'GitHub token',
      category: 'Content Security',
      severity: 'Critical',
      enabled: true,
      patterns: ['\\bgh[pousr]_[A-Za-z0-9]{36,255}\\b'],
      action: 'block',
    },
  ],
};
