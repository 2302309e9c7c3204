import type { Problem } from '@portcullis/contracts/envelope';
import {
  policyActions,
  policyDirections,
  type PolicyAction,
  type PolicyPattern,
  type PolicyRule,
} from '@portcullis/contracts/policy-file';
import { alertCategories, severities, type AlertCategory, type Severity } from '@portcullis/contracts/records';
import { ObjectReader } from './object-reader.ts';
import { parseKind, parsePattern } from './parse-pattern.ts';

/** What a list of rules assumes where a rule says nothing. */
export interface RuleDefaults {
  /** The noun for messages, for example `a redaction rule`. */
  readonly kind: string;
  /** Rules of this list may come without an id; they get this prefix and their place, from 1. */
  readonly idPrefix: string | undefined;
  readonly action: PolicyAction;
  readonly severity: Severity;
  readonly unmaskForUser: boolean | undefined;
}

/** Words of other products for our actions. */
const actionSynonyms: Readonly<Record<string, PolicyAction>> = { warn: 'monitor', alert: 'monitor', mask: 'redact' };

/** Reads one rule, a bare pattern included. Mistakes go to `problems`. */
export function parseRule(
  value: unknown,
  path: string,
  index: number,
  defaults: RuleDefaults,
  problems: Problem[],
): PolicyRule | undefined {
  const generatedId = defaults.idPrefix === undefined ? undefined : `${defaults.idPrefix}-${index + 1}`;
  if (generatedId !== undefined && typeof value === 'string') {
    const pattern = parsePattern(value, path, { kind: 'regex' }, problems);
    const { action, severity } = defaults;
    if (pattern === undefined) return undefined;
    return { id: generatedId, name: generatedId, severity, enabled: true, patterns: [pattern], action };
  }

  const reader = ObjectReader.open(value, path, problems);
  if (reader === undefined) return undefined;
  const name = reader.text(200, 'name', 'title');
  const id = reader.text(200, 'id') ?? generatedId ?? name;
  if (id === undefined || id === '') reader.report(`${path}/id`, 'must be given');
  const action = reader.oneOf(policyActions, actionSynonyms, 'action') ?? defaults.action;
  const optional = {
    description: reader.text(2_000, 'description', 'reason', 'message'),
    category: parseCategory(reader),
    conditions: parseConditions(reader, problems),
    confidence: parseConfidence(reader),
    replacement: reader.text(200, 'replacement', 'redact', 'redact_with', 'redactWith'),
    placeholder_format: reader.text(200, 'placeholder_format', 'placeholderFormat'),
    unmask_for_user:
      reader.boolean('unmask_for_user', 'unmaskForUser', 'unmask') ??
      (action === 'redact' ? defaults.unmaskForUser : undefined),
  };
  const rule: PolicyRule = {
    id: id ?? '',
    name: name ?? id ?? '',
    severity: reader.oneOf(severities, {}, 'severity') ?? defaults.severity,
    enabled: reader.boolean('enabled') ?? true,
    patterns: parsePatterns(reader, problems),
    action,
    ...withoutUndefined(optional),
  };
  reader.field('context');
  reader.reportUnknown(defaults.kind);
  return rule;
}

type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** Optional fields of the normal form are absent, never undefined. */
const withoutUndefined = <Fields extends object>(fields: Fields): Present<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>;

function parsePatterns(reader: ObjectReader, problems: Problem[]): PolicyPattern[] {
  const shared = {
    kind: parseKind(reader) ?? 'regex',
    caseSensitive: reader.boolean('case_sensitive', 'caseSensitive'),
    flags: reader.text(10, 'flags'),
  };
  const single = reader.field('pattern', 'regex');
  const items = [...(single === undefined ? [] : [single]), ...reader.list('patterns')];
  if (items.length === 0) reader.report(`${reader.path}/patterns`, 'must have at least one pattern');
  return items.flatMap((item) => parsePattern(item.value, item.path, shared, problems) ?? []);
}

/** The eight alert categories by name; free words of other products fall into the nearest of them. */
function parseCategory(reader: ObjectReader): AlertCategory | undefined {
  const word = reader.text(200, 'category')?.toLowerCase().replaceAll(/[_-]/g, ' ');
  if (word === undefined) return undefined;
  const exact = alertCategories.find((category) => category.toLowerCase() === word);
  if (exact !== undefined) return exact;
  if (/secret|credential|pii|personal|privacy|leak|data|content|toxic/.test(word)) return 'Content Security';
  if (/tool|mcp/.test(word)) return 'Tool Security';
  return 'Policy Violations';
}

function parseConditions(reader: ObjectReader, problems: Problem[]): PolicyRule['conditions'] | undefined {
  const field = reader.field('conditions');
  // An ancestor of the format knew a list of conditions and left it empty.
  if (field === undefined || (Array.isArray(field.value) && field.value.length === 0)) return undefined;
  const conditions = ObjectReader.open(field.value, field.path, problems);
  const direction = conditions?.oneOf(policyDirections, {}, 'direction');
  conditions?.reportUnknown('the conditions');
  return direction && { direction };
}

/** From 0 to 1; `score` up to 100 is read as a percentage. */
function parseConfidence(reader: ObjectReader): number | undefined {
  const confidence = reader.number(0, 1, 'confidence');
  const score = reader.number(0, 100, 'score');
  return confidence ?? (score !== undefined && score > 1 ? score / 100 : score);
}
