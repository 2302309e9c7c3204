import { builtinPolicies } from '../../packages/core/src/policy/builtin/builtin-policies.ts';

/** Names of the built-in policies that read LLM traffic and change or stop some of it; the others only look. */
export const enforcedPolicies: readonly string[] = builtinPolicies
  .filter(({ policy_type: type }) => type !== 'mcp')
  .filter(({ rules }) => rules.some(({ action }) => action === 'block' || action === 'redact'))
  .map(({ name }) => name);
