import { isPlainKey } from './own-keys.ts';

/** Thrown when a value is nested deeper than the visitor was told to follow. */
export class NestedTooDeep extends Error {
  readonly maxDepth: number;

  constructor(maxDepth: number) {
    super(`The body is nested deeper than ${maxDepth} levels`);
    this.name = 'NestedTooDeep';
    this.maxDepth = maxDepth;
  }
}

/** Deeper than any dialect nests a message. What goes beyond cannot be inspected, so it is not let through. */
export const maxJsonDepth = 128;

/** Integers of so many digits may be the number of a card or of an account, as texts may. Shorter ones count things. */
const leastLongNumber = 1e12;

/** The digits of a long number; undefined for all else. Beyond 2^53 the last ones are not those that were written. */
export const longNumber = (value: unknown): string | undefined =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) >= leastLongNumber
    ? String(Math.abs(value))
    : undefined;

/** The way to a string: object keys and array indexes from the root. Valid during the visit only. */
export type JsonPath = readonly (string | number)[];

/**
 * Calls `visit` with every string, and every long number, in a parsed JSON value, in document order, without knowing its
 * schema: a field that a dialect gains tomorrow is seen too. A key's path ends with itself.
 * @throws {NestedTooDeep}
 */
export function visitStrings(
  value: unknown,
  visit: (text: string, path: JsonPath, isKey: boolean, isNumber: boolean) => void,
  maxDepth = maxJsonDepth,
): void {
  const path: (string | number)[] = [];

  const walk = (node: unknown): void => {
    if (typeof node === 'string') {
      if (node !== '') visit(node, path, false, false);
      return;
    }
    if (typeof node !== 'object' || node === null) {
      const digits = longNumber(node);
      if (digits !== undefined) visit(digits, path, false, true);
      return;
    }
    if (path.length >= maxDepth) throw new NestedTooDeep(maxDepth);

    if (Array.isArray(node)) {
      for (let index = 0; index < node.length; index += 1) {
        path.push(index);
        walk(node[index]);
        path.pop();
      }
      return;
    }
    for (const key of Object.keys(node)) {
      path.push(key);
      if (!isPlainKey(key)) visit(key, path, true, false);
      walk((node as Record<string, unknown>)[key]);
      path.pop();
    }
  };

  walk(value);
}

/** A string in a value. */
export interface StringPlace {
  readonly text: string;
  /** Valid until the next string is asked for. */
  readonly path: JsonPath;
  readonly isKey: boolean;
  /** It is a long number. */
  readonly isNumber: boolean;
}

interface OpenContainer {
  readonly node: object;
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/** So many members without a string are passed at once. */
const membersAtOnce = 8_192;

/**
 * The strings that `visitStrings` visits, one at a time, for callers that do something else in between; undefined now and
 * then where many members have none.
 * @throws {NestedTooDeep}
 */
export function* stringsIn(value: unknown, maxDepth = maxJsonDepth): Generator<StringPlace | undefined, void> {
  if (typeof value === 'string' && value !== '') yield { text: value, path: [], isKey: false, isNumber: false };
  const path: (string | number)[] = [];
  const whole = longNumber(value);
  if (whole !== undefined) yield { text: whole, path: [], isKey: false, isNumber: true };
  const open = openContainer(value, 0, maxDepth);
  const containers = open === undefined ? [] : [open];
  let passed = 0;
  for (let top = containers.at(-1); top !== undefined; top = containers.at(-1)) {
    if ((passed += 1) % membersAtOnce === 0) yield undefined;
    if (top.next === top.length) {
      containers.pop();
      path.pop();
      continue;
    }
    const step = top.keys?.[top.next] ?? top.next;
    top.next += 1;
    path.push(step);
    if (typeof step === 'string' && !isPlainKey(step)) yield { text: step, path, isKey: true, isNumber: false };
    const child = (top.node as Readonly<Record<string | number, unknown>>)[step];
    if (typeof child === 'string' && child !== '') yield { text: child, path, isKey: false, isNumber: false };
    const digits = longNumber(child);
    if (digits !== undefined) yield { text: digits, path, isKey: false, isNumber: true };
    const inner = openContainer(child, path.length, maxDepth);
    if (inner === undefined) path.pop();
    else containers.push(inner);
  }
}

function openContainer(node: unknown, depth: number, maxDepth: number): OpenContainer | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  if (depth >= maxDepth) throw new NestedTooDeep(maxDepth);
  const keys = Array.isArray(node) ? undefined : Object.keys(node);
  return { node, keys, length: keys?.length ?? (node as readonly unknown[]).length, next: 0 };
}

/** Renders a path as a JSON pointer, for example `/messages/0/content`. */
export const renderPointer = (path: JsonPath): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
