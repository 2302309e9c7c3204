import { parseRegex, toSyntax } from '../../packages/core/src/policy/pattern/parse-syntax.ts';
import { findGrowth, type Growth } from './find-growth.ts';

/** How the time of a pattern grows where it does so faster than with the text. @throws {Error} for syntax that is not understood */
export function judgePattern(source: string, flags: string): Growth | undefined {
  const known = withoutBackreferences(source, flags);
  return findGrowth(toSyntax(parseRegex(known, flags), flags), !flags.includes('y'));
}

interface Span {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** A backreference reads no more than its group may: what the group is written as stands for it. */
function withoutBackreferences(source: string, flags: string): string {
  const found: { readonly from: Span; readonly group: Span | undefined }[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isSpan(value)) return;
    if (value.type === 'Backreference') {
      const { resolved } = value as unknown as { readonly resolved: Span | readonly Span[] };
      found.push({ from: value, group: isSpan(resolved) ? resolved : resolved[0] });
      return;
    }
    const { alternatives, elements, element } = value as {
      alternatives?: unknown;
      elements?: unknown;
      element?: unknown;
    };
    for (const inside of [alternatives, elements, element]) visit(inside);
  };
  visit(parseRegex(source, flags));
  let read = source;
  for (const { from, group } of found.toReversed()) {
    const instead = group === undefined ? '' : `(?:${source.slice(group.start, group.end)})`;
    read = read.slice(0, from.start) + instead + read.slice(from.end);
  }
  return read;
}

const isSpan = (value: unknown): value is Span => typeof value === 'object' && value !== null && 'start' in value;
