import { policyFileLimits, type PolicyPattern } from '@portcullis/contracts/policy-file';
import type { Problem } from '@portcullis/contracts/envelope';
import { ObjectReader } from './object-reader.ts';
import { analysePattern } from '../pattern/analyse-pattern.ts';
import { translateRegex } from './translate-regex.ts';

/** What a rule's other fields say about how its patterns are written. */
export interface PatternDefaults {
  /** `regex` unless the file says otherwise. */
  readonly kind: 'regex' | 'contains' | 'exact';
  readonly caseSensitive?: boolean | undefined;
  readonly flags?: string | undefined;
}

/** Reads one pattern in any of its spellings. Mistakes go to `problems`, at the pattern's own place. */
export function parsePattern(
  value: unknown,
  path: string,
  defaults: PatternDefaults,
  problems: Problem[],
): PolicyPattern | undefined {
  if (typeof value === 'string') return parsePatternText(value, path, defaults, problems);
  const reader = ObjectReader.open(value, path, problems);
  if (reader === undefined) return undefined;
  const literal = reader.field('literal');
  const field = literal ?? reader.field('regex', 'pattern');
  const kind = literal === undefined ? parseKind(reader) : 'contains';
  const caseSensitive = reader.boolean('case_sensitive', 'caseSensitive') ?? defaults.caseSensitive;
  const flags = reader.text(10, 'flags') ?? defaults.flags;
  reader.field('description');
  reader.reportUnknown('a pattern');
  if (field === undefined) return reader.report(path, 'must have a regex or a literal');
  if (typeof field.value !== 'string') return reader.report(field.path, 'must be a string');
  return parsePatternText(field.value, field.path, { kind: kind ?? defaults.kind, caseSensitive, flags }, problems);
}

/** The meaning of a pattern's text: `type` in files of other gateways. */
export const parseKind = (reader: ObjectReader): PatternDefaults['kind'] | undefined =>
  reader.oneOf(['regex', 'contains', 'exact'], { literal: 'contains' }, 'type');

function parsePatternText(
  text: string,
  path: string,
  defaults: PatternDefaults,
  problems: Problem[],
): PolicyPattern | undefined {
  const report = (rule: string): undefined => {
    problems.push({ path, rule });
    return undefined;
  };
  if (text.length === 0) return report('must not be empty');
  if (text.length > policyFileLimits.patternLength) {
    return report(`must have at most ${policyFileLimits.patternLength} characters`);
  }
  const flags = `${defaults.flags ?? ''}${defaults.caseSensitive === false ? 'i' : ''}`;
  if (/[^gimsu]/.test(flags)) return report('knows the flags i, m, s and u');

  // A text without a kind of its own is found in any case; `exact` keeps the case.
  if (defaults.kind === 'contains' && defaults.caseSensitive !== true) return { literal: text };
  const source = defaults.kind === 'regex' ? text : RegExp.escape(text);

  const translated = translateRegex(source, flags.replaceAll('g', ''));
  if ('reason' in translated) return report(translated.reason);
  const { regex, flags: kept } = translated;
  const pattern = kept === '' ? regex : { regex, flags: kept };
  const { reason } = analysePattern(pattern);
  return reason === undefined ? pattern : report(reason);
}

/** A list of patterns that is not the rule's own; undefined when it is absent or empty. */
export function parsePatternList(
  reader: ObjectReader,
  spellings: readonly string[],
  what: string,
  limit: number,
  problems: Problem[],
): PolicyPattern[] | undefined {
  const items = reader.list(...spellings);
  if (items.length > limit) return reader.report(items[limit]?.path ?? '', `is one too many: at most ${limit} ${what}`);
  const patterns = items.flatMap(({ value, path }) => parsePattern(value, path, { kind: 'regex' }, problems) ?? []);
  return patterns.length === 0 ? undefined : patterns;
}
