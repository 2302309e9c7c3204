import type { Policy } from '@portcullis/core/policy/policy';

/** Blocks the word `marzipan` in MCP traffic. */
export const housePolicy: Policy = {
  name: 'house',
  version: '1',
  description: '',
  severity: 'High',
  policy_type: 'mcp',
  rules: [
    {
      id: 'SECRET',
      name: 'Secret of the house',
      severity: 'High',
      category: 'Policy Violations',
      enabled: true,
      patterns: [{ regex: 'marzipan', flags: '' }],
      action: 'block',
    },
  ],
};
