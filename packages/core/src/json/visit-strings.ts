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

/** Keys this long carry text as well as values do. */
const minKeyTextLength = 24;

/** The way to a string: object keys and array indexes from the root. Valid during the visit only. */
export type JsonPath = readonly (string | number)[];

/**
 * Calls `visit` with every string in a parsed JSON value, in document order, without knowing its
 * schema: a field that a dialect gains tomorrow is seen too. A key's path ends with itself.
 * @throws {NestedTooDeep}
 */
export function visitStrings(
  value: unknown,
  visit: (text: string, path: JsonPath, isKey: boolean) => void,
  maxDepth = maxJsonDepth,
): void {
  const path: (string | number)[] = [];

  const walk = (node: unknown): void => {
    if (typeof node === 'string') {
      if (node !== '') visit(node, path, false);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
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
      if (key.length >= minKeyTextLength) visit(key, path, true);
      walk((node as Record<string, unknown>)[key]);
      path.pop();
    }
  };

  walk(value);
}

/** Renders a path as a JSON pointer, for example `/messages/0/content`. */
export const renderPointer = (path: JsonPath): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
