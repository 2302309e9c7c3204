import type { PolicyRule } from '@portcullis/contracts/policy-file';
import type { Policy } from '@portcullis/core/policy/policy';

/** A rule for one pattern that blocks, unless `more` says otherwise. */
export const aRule = (
  id: string,
  pattern: PolicyRule['patterns'][number],
  more: Partial<PolicyRule> = {},
): PolicyRule => ({
  id,
  name: id,
  severity: 'High',
  enabled: true,
  patterns: [pattern],
  action: 'block',
  ...more,
});

export const aPolicy = (name: string, rules: readonly PolicyRule[], more: Partial<Policy> = {}): Policy => ({
  name,
  version: '1',
  description: '',
  severity: 'High',
  policy_type: 'both',
  rules: [...rules],
  ...more,
});

/** Hides addresses of the house, and gives them back to who wrote them. */
export const mailRule = (more: Partial<PolicyRule> = {}): PolicyRule =>
  aRule('EMAIL', '[a-z]{2,8}@house\\.example', { severity: 'Medium', action: 'redact', ...more });
