import type { Problem } from '@portcullis/contracts/envelope';
import { policyFileLimits, policyTypes, type PolicyRule } from '@portcullis/contracts/policy-file';
import { severities } from '@portcullis/contracts/records';
import { ObjectReader } from './object-reader.ts';
import { parsePatternList } from './parse-pattern.ts';
import { parseRule, type RuleDefaults } from './parse-rule.ts';
import { parseVariants, type PlacedRule } from './parse-variants.ts';
import { withoutUndefined } from '../plan/present-fields.ts';
import type { Policy } from '../policy.ts';

export type ParsedPolicyFile =
  | { readonly policy: Policy; readonly problems?: never }
  | { readonly problems: readonly Problem[]; readonly policy?: never };

/** More would not help an author, and a hostile file could ask for millions. */
const maxProblems = 100;

/** Fields that other tools write down and that change nothing here. */
const notes = [
  '$schema',
  'created',
  'updated',
  'metadata',
  'tags',
  'settings',
  'riskThresholds',
  'risk_thresholds',
] as const;

/** The lists of rules, by their spellings, and what each assumes. */
const ruleLists = [
  { spellings: ['rules'], kind: 'a rule', idPrefix: undefined, action: 'monitor' },
  {
    spellings: ['blockedPatterns', 'blocked_patterns'],
    kind: 'a blocked pattern',
    idPrefix: 'blocked',
    action: 'block',
  },
  {
    spellings: ['redactPatterns', 'redact_patterns'],
    kind: 'a redaction pattern',
    idPrefix: 'redact',
    action: 'redact',
  },
  {
    spellings: ['redaction_rules', 'redactionRules'],
    kind: 'a redaction rule',
    idPrefix: 'redaction',
    action: 'redact',
  },
] as const;

/**
 * Reads a policy file in any of the spellings that circulate and answers its normal form, or every
 * problem with its JSON pointer. A file is taken whole or not at all: a rule that was left out
 * silently would be a hole in the policy.
 */
export function parsePolicyFile(input: unknown): ParsedPolicyFile {
  const problems: Problem[] = [];
  const reader = ObjectReader.open(input, '', problems);
  if (reader === undefined) return { problems };

  const id = reader.text(200, 'id');
  const name = (reader.text(200, 'name', 'policyName', 'policy_name') ?? id)?.trim() ?? '';
  if (name === '') reader.report('/name', 'must be given');
  const severity = reader.oneOf(severities, {}, 'severity') ?? 'Medium';
  const unmaskForUser = reader.boolean('unmask_for_user', 'unmaskForUser');
  const head = {
    ...withoutUndefined({ id }),
    name,
    version: reader.text(50, 'version') ?? '1.0',
    description: reader.text(2_000, 'description') ?? '',
    severity,
    policy_type: reader.oneOf(policyTypes, {}, 'policy_type', 'policyType') ?? 'both',
    ...withoutUndefined({
      author: reader.text(200, 'author'),
      enabled: reader.boolean('enabled'),
      exceptions: parsePatternList(
        reader,
        ['exceptions', 'whitelistPatterns', 'whitelist_patterns'],
        'exceptions',
        policyFileLimits.exceptions,
        problems,
      ),
    }),
  };
  for (const note of notes) reader.field(note);

  const rules = ruleLists.flatMap(({ spellings, ...list }) =>
    parseRules(reader, spellings, { ...list, severity, unmaskForUser }, problems),
  );
  rules.push(...parseVariants(reader, severity, problems));
  reader.reportUnknown('a policy');
  checkBounds(rules, problems);
  checkUniqueIds(rules, problems);
  if (problems.length > 0) return { problems: problems.slice(0, maxProblems) };
  return { policy: { ...head, rules: rules.map(({ rule }) => rule) } };
}

function parseRules(
  reader: ObjectReader,
  spellings: readonly string[],
  defaults: RuleDefaults,
  problems: Problem[],
): PlacedRule[] {
  const items = reader.list(...spellings);
  if (items.length > policyFileLimits.rules) {
    reader.report(`/${spellings[0]}`, `must have at most ${policyFileLimits.rules} rules`);
    return [];
  }
  return items.flatMap(({ value, path }, index) => {
    const rule = parseRule(value, path, index, defaults, problems);
    return rule === undefined ? [] : { path, rule };
  });
}

function checkBounds(rules: readonly PlacedRule[], problems: Problem[]): void {
  const patterns = rules.reduce((sum, { rule }) => sum + patternCount(rule), 0);
  if (rules.length === 0 && problems.length === 0) {
    problems.push({ path: '/rules', rule: 'must have at least one rule' });
  }
  if (rules.length > policyFileLimits.rules) {
    problems.push({ path: '', rule: `must have at most ${policyFileLimits.rules} rules in all` });
  }
  if (patterns > policyFileLimits.patterns) {
    problems.push({ path: '', rule: `must have at most ${policyFileLimits.patterns} patterns in all` });
  }
}

const patternCount = ({ patterns, signals = [], exceptions = [] }: PolicyRule): number =>
  patterns.length + exceptions.length + signals.reduce((sum, signal) => sum + signal.patterns.length, 0);

function checkUniqueIds(rules: readonly PlacedRule[], problems: Problem[]): void {
  const places = new Map<string, string>();
  for (const { path, rule } of rules) {
    const earlier = places.get(rule.id);
    if (earlier === undefined) places.set(rule.id, path);
    else problems.push({ path: `${path}/id`, rule: `must be unique: ${earlier} has the same` });
  }
}
