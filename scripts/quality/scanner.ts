import { builtinPolicies } from '../../packages/core/src/policy/builtin/builtin-policies.ts';
import { compilePolicies } from '../../packages/core/src/policy/compile/compile-policies.ts';
import { originSet } from '../../packages/core/src/policy/origins.ts';
import type { Finding, PolicyPlan, ScanContext } from '../../packages/core/src/policy/policy.ts';
import type { Sample } from '../../packages/detector-training/src/sample.ts';

/** Ways that a sample of a channel takes through the gateway; a finding on any of them counts. */
const contexts: Readonly<Record<Sample['channel'], readonly ScanContext[]>> = {
  user: [{ direction: 'request', protocol: 'llm', role: 'user', origins: originSet('user') }],
  tool: [
    { direction: 'request', protocol: 'llm', role: 'tool', origins: originSet('tool_result') },
    { direction: 'response', protocol: 'mcp', role: 'tool', origins: originSet('tool_definition', 'tool_result') },
  ],
};

export type Scanner = (sample: Pick<Sample, 'text' | 'channel'>) => readonly Finding[];

/** Scans with some of the built-in policies, or with all of them. */
export function createScanner(picks: (policyName: string) => boolean = () => true): Scanner {
  const plan: PolicyPlan = compilePolicies(builtinPolicies.filter(({ name }) => picks(name)));
  return ({ text, channel }) => contexts[channel].flatMap((context) => plan.scan(text, context));
}

/** True when the finding keeps the text from passing as it is. */
export const isEnforced = ({ action }: Finding): boolean => action === 'block' || action === 'redact';
