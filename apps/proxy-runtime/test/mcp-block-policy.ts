import { aPolicy, aRule } from './a-policy.ts';

/** Blocks the word `marzipan` in MCP traffic. */
export const housePolicy = aPolicy(
  'house',
  [aRule('SECRET', 'marzipan', { name: 'Secret of the house', category: 'Policy Violations' })],
  { policy_type: 'mcp' },
);
