import { builtinPolicies } from '../packages/core/src/policy/builtin/builtin-policies.ts';
import { saveGenerated } from './generated-file.ts';

// Writes docs/generated/builtin-policies.md: what every installation has from its first start.

const count = (rules: readonly { readonly action: string }[], action: string): number =>
  rules.filter((rule) => rule.action === action).length;

const rows = builtinPolicies.map(({ name, policy_type: type, description, rules }) => {
  const actions = ['block', 'replace', 'redact', 'monitor', 'log'].map((action) => count(rules, action));
  return `| \`${name}\` | ${type} | ${rules.length} | ${actions.join(' | ')} | ${description} |`;
});
const distinct = new Set(builtinPolicies.flatMap(({ rules }) => rules.map(({ id }) => id))).size;

saveGenerated(
  'docs/generated/builtin-policies.md',
  [
    '# Built-in policies',
    '',
    `${builtinPolicies.length} policies made of ${distinct} rules. A rule that several policies have is defined once.`,
    '',
    '| policy | traffic | rules | block | replace | redact | monitor | log | what it is for |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n'),
);
