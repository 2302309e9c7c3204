import { agentRules } from './agent-rules.ts';
import { credentialRules } from './credential-rules.ts';
import { executionRules } from './execution-rules.ts';
import { exfiltrationRules } from './exfiltration-rules.ts';
import { injectionRules } from './injection-rules.ts';
import { systemRules } from './system-rules.ts';
import type { SkillRule } from '../skill-rule.ts';

/** Every rule, in the order in which people are shown them. */
export const skillRules: readonly SkillRule[] = [
  ...exfiltrationRules,
  ...credentialRules,
  ...injectionRules,
  ...executionRules,
  ...systemRules,
  ...agentRules,
];

/** Named in approvals and cached results: other rules may judge the same skill otherwise. */
export const skillRulesVersion = '5';
