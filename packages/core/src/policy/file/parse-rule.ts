import type { Problem } from '@portcullis/contracts/envelope';
import {
  policyActions,
  policyFileLimits,
  type PolicyAction,
  type PolicyPattern,
  type PolicyRedaction,
  type PolicyRule,
} from '@portcullis/contracts/policy-file';
import { alertCategories, severities, type AlertCategory, type Severity } from '@portcullis/contracts/records';
import { ObjectReader } from './object-reader.ts';
import { parseConditions } from './parse-conditions.ts';
import { parseDetectors } from './parse-detectors.ts';
import { parseOrigins } from './parse-origins.ts';
import { parseKind, parsePattern, parsePatternList } from './parse-pattern.ts';
import { parseSignals } from './parse-signals.ts';
import { withoutUndefined } from '../plan/present-fields.ts';

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
    detectors: parseDetectors(reader),
    ...parseSignals(reader, problems),
    min_confidence: reader.number(0, 1, 'min_confidence', 'minConfidence'),
    origins: parseOrigins(reader),
    conditions: parseConditions(reader, problems),
    exceptions: parsePatternList(reader, ['exceptions'], 'exceptions', policyFileLimits.exceptions, problems),
    confidence: parseConfidence(reader),
    owasp: parseTags(reader, 'owasp'),
    nist: parseTags(reader, 'nist'),
    redact: parseRedaction(reader, action, defaults.unmaskForUser, problems),
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
  if (!looksForSomething(rule, reader)) {
    reader.report(`${path}/patterns`, 'must have at least one pattern, or the rule detectors or signals');
  }
  for (const note of ['context', 'tags', 'metadata', 'references', 'examples']) reader.field(note);
  reader.reportUnknown(defaults.kind);
  return rule;
}

/** Patterns that were given and are wrong have been reported already. */
const looksForSomething = (rule: PolicyRule, reader: ObjectReader): boolean =>
  rule.detectors !== undefined ||
  rule.signals !== undefined ||
  reader.list('patterns').length > 0 ||
  reader.field('pattern', 'regex') !== undefined;

function parsePatterns(reader: ObjectReader, problems: Problem[]): PolicyPattern[] {
  const shared = {
    kind: parseKind(reader) ?? 'regex',
    caseSensitive: reader.boolean('case_sensitive', 'caseSensitive'),
    flags: reader.text(10, 'flags'),
  };
  const single = reader.field('pattern', 'regex');
  const items = [...(single === undefined ? [] : [single]), ...reader.list('patterns')];
  return items.flatMap((item) => parsePattern(item.value, item.path, shared, problems) ?? []);
}

/** The eight alert categories by name; free words of other products fall into the nearest of them. */
export function parseCategory(reader: ObjectReader): AlertCategory | undefined {
  const word = reader.text(200, 'category')?.toLowerCase().replaceAll(/[_-]/g, ' ');
  if (word === undefined) return undefined;
  const exact = alertCategories.find((category) => category.toLowerCase() === word);
  if (exact !== undefined) return exact;
  if (/secret|credential|pii|personal|privacy|leak|data|content|toxic/.test(word)) return 'Content Security';
  if (/tool|mcp/.test(word)) return 'Tool Security';
  return 'Policy Violations';
}

/** From 0 to 1; `score` up to 100 is read as a percentage. */
function parseConfidence(reader: ObjectReader): number | undefined {
  const confidence = reader.number(0, 1, 'confidence');
  const score = reader.number(0, 100, 'score');
  return confidence ?? (score !== undefined && score > 1 ? score / 100 : score);
}

/** A text or a list of them. */
function parseTags(reader: ObjectReader, spelling: string): string[] | undefined {
  const field = reader.field(spelling);
  if (field === undefined) return undefined;
  const tags = Array.isArray(field.value) ? (field.value as readonly unknown[]) : [field.value];
  const areTexts = tags.every((tag): tag is string => typeof tag === 'string' && tag.length > 0 && tag.length <= 100);
  if (!areTexts) return reader.report(field.path, 'must be texts of at most 100 characters');
  if (tags.length > policyFileLimits.tags) return reader.report(field.path, `must be at most ${policyFileLimits.tags}`);
  return tags.length === 0 ? undefined : [...tags];
}

/** `{placeholder, restore}`, or the fields beside it that other files spread over the rule. */
function parseRedaction(
  reader: ObjectReader,
  action: PolicyAction,
  unmaskForUser: boolean | undefined,
  problems: Problem[],
): PolicyRedaction | undefined {
  const replacement = reader.text(200, 'replacement', 'redact_with', 'redactWith');
  const format = reader.text(200, 'placeholder_format', 'placeholderFormat', 'placeholder');
  const unmask =
    reader.boolean('unmask_for_user', 'unmaskForUser', 'unmask') ?? (action === 'redact' ? unmaskForUser : undefined);
  const field = reader.field('redact');
  const bare = typeof field?.value === 'string' ? field.value : undefined;
  const own = field && bare === undefined ? ObjectReader.open(field.value, field.path, problems) : undefined;
  const placeholder = own?.text(200, 'placeholder') ?? format ?? bare ?? replacement;
  const restore = own?.boolean('restore') ?? unmask;
  own?.reportUnknown('the redaction');
  if (placeholder === '') return reader.report(field?.path ?? reader.path, 'must have a placeholder that is not empty');
  const redaction = withoutUndefined({ placeholder, restore });
  return Object.keys(redaction).length === 0 ? undefined : redaction;
}
