import type { Problem } from '@portcullis/contracts/envelope';
import { policyActions, policyFileLimits, type PolicyRule, type PolicySignal } from '@portcullis/contracts/policy-file';
import { severities, type Severity } from '@portcullis/contracts/records';
import { ObjectReader } from './object-reader.ts';
import { parsePattern } from './parse-pattern.ts';
import { parseCategory } from './parse-rule.ts';
import { withoutUndefined } from '../plan/present-fields.ts';

export interface PlacedRule {
  readonly path: string;
  readonly rule: PolicyRule;
}

/**
 * Rules of an ancestor of the format that add up: variants with weights, and patterns of behaviour of
 * which a number must be found. Both become rules with signals.
 */
export function parseVariants(reader: ObjectReader, severity: Severity, problems: Problem[]): PlacedRule[] {
  const lists = [
    { spellings: ['polymorphicPatterns', 'polymorphic_patterns'], kind: 'polymorphic' },
    { spellings: ['behavioralPatterns', 'behavioral_patterns'], kind: 'behavioral' },
  ];
  return lists.flatMap(({ spellings, kind }) => {
    const items = reader.list(...spellings);
    if (items.length > policyFileLimits.rules) {
      reader.report(`/${spellings[0]}`, `must have at most ${policyFileLimits.rules} rules`);
      return [];
    }
    return items.flatMap(({ value, path }, index) => {
      const rule = parseVariantRule(value, path, `${kind}-${index + 1}`, severity, problems);
      return rule === undefined ? [] : { path, rule };
    });
  });
}

function parseVariantRule(
  value: unknown,
  path: string,
  generatedId: string,
  severity: Severity,
  problems: Problem[],
): PolicyRule | undefined {
  const reader = ObjectReader.open(value, path, problems);
  if (reader === undefined) return undefined;
  const name = reader.text(200, 'name', 'title');
  const signals = [
    ...reader.list('variants', 'patterns').flatMap((item) => parseVariant(item, problems) ?? []),
    ...reader.list('weightedVariants', 'weighted_variants').flatMap((item) => parseVariant(item, problems) ?? []),
  ].map((signal, index) => ({ ...signal, name: `variant-${index + 1}` }));
  const least = Math.min(...signals.map(({ weight }) => weight));
  const sum = signals.reduce((total, { weight }) => total + weight, 0);
  // Without a threshold any variant is enough, as it was in that format.
  const threshold = reader.number(0, 1_000_000, 'weightThreshold', 'weight_threshold', 'threshold') ?? least;
  for (const note of ['maxMatches', 'max_matches', 'context', 'timeWindow', 'time_window']) reader.field(note);
  const rule: PolicyRule = {
    id: reader.text(200, 'id') ?? generatedId,
    name: name ?? generatedId,
    severity: reader.oneOf(severities, {}, 'severity') ?? severity,
    enabled: reader.boolean('enabled') ?? true,
    patterns: [],
    signals,
    threshold: threshold > 0 ? threshold : least,
    action: reader.oneOf(policyActions, { warn: 'monitor', alert: 'monitor' }, 'action') ?? 'monitor',
    ...withoutUndefined({
      description: reader.text(2_000, 'description', 'reason', 'message'),
      category: parseCategory(reader),
    }),
  };
  reader.reportUnknown('a rule of variants');
  if (signals.length === 0) reader.report(`${path}/variants`, 'must have at least one pattern');
  else if (threshold > sum) reader.report(`${path}/threshold`, `must be at most ${sum}, the sum of the weights`);
  if (signals.length > policyFileLimits.signals) {
    reader.report(`${path}/variants`, `must have at most ${policyFileLimits.signals} patterns`);
  }
  return rule;
}

/** A bare pattern, or one with a weight. */
function parseVariant(
  { value, path }: { readonly value: unknown; readonly path: string },
  problems: Problem[],
): Omit<PolicySignal, 'name'> | undefined {
  if (typeof value === 'string') {
    const pattern = parsePattern(value, path, { kind: 'regex' }, problems);
    return pattern === undefined ? undefined : { weight: 1, patterns: [pattern] };
  }
  const reader = ObjectReader.open(value, path, problems);
  const field = reader?.field('pattern', 'regex');
  if (reader === undefined) return undefined;
  const weight = reader.number(0, 1_000, 'weight') ?? 1;
  for (const note of ['context', 'severity', 'description', 'name']) reader.field(note);
  reader.reportUnknown('a variant');
  if (field === undefined) return reader.report(`${path}/pattern`, 'must be given');
  const pattern = parsePattern(field.value, field.path, { kind: 'regex' }, problems);
  if (weight <= 0) return reader.report(`${path}/weight`, 'must be above 0');
  return pattern === undefined ? undefined : { weight, patterns: [pattern] };
}
