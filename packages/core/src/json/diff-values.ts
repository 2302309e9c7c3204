import { canonicalJson } from './canonical-json.ts';
import { renderPointer } from './visit-strings.ts';
import { objectOf } from './json-object.ts';

/** One place where two JSON values differ. */
export interface FieldDifference {
  /** JSON pointer. */
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Texts as they are and other values as JSON, cut to size; absent on the side where there is nothing. */
  readonly before?: string;
  readonly after?: string;
}

const maxDifferences = 100;
const maxShownLength = 2_000;

/** Where two values differ, in the order of their pointers; no more than a hundred places. */
export function diffValues(before: unknown, after: unknown): readonly FieldDifference[] {
  const differences: FieldDifference[] = [];
  const walk = (left: unknown, right: unknown, path: readonly string[]): void => {
    if (differences.length >= maxDifferences) return;
    const [a, b] = [membersOf(left), membersOf(right)];
    if (a === undefined || b === undefined || Array.isArray(left) !== Array.isArray(right)) {
      const difference = compare(left, right, path);
      if (difference !== undefined) differences.push(difference);
      return;
    }
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
    for (const key of keys) walk(a[key], b[key], [...path, key]);
  };
  walk(before, after, []);
  return differences;
}

/** A list of plain values is a set, such as the names of required parameters: what comes and goes is told by value. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!Array.isArray(value)) return objectOf(value);
  const isPlain = value.every((item) => typeof item !== 'object' || item === null);
  return Object.fromEntries(value.map((item, index) => [isPlain ? String(item) : String(index), item]));
}

function compare(left: unknown, right: unknown, path: readonly string[]): FieldDifference | undefined {
  const pointer = renderPointer(path);
  if (left === undefined) return { path: pointer, change: 'added', after: show(right) };
  if (right === undefined) return { path: pointer, change: 'removed', before: show(left) };
  const [before, after] = [canonicalJson(left), canonicalJson(right)];
  if (before === after) return undefined;
  return { path: pointer, change: 'changed', before: show(left), after: show(right) };
}

const show = (value: unknown): string => {
  const text = typeof value === 'string' ? value : canonicalJson(value);
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
};
