type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | 'after';

/**
 * Where a text stops being JSON, counted from 1; its end when it ends too early. `JSON.parse` often
 * refuses without telling the place.
 */
export function findJsonFault(text: string): { line: number; column: number } {
  const before = text.slice(0, findFaultOffset(text));
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: before.length - lineStart + 1 };
}

/** Offset of the first token that is none, or cannot stand where it does. */
function findFaultOffset(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  let offset = 0;

  for (;;) {
    offset = endOf(/[ \t\n\r]*/y, text, offset) ?? offset;
    const first = text.charAt(offset);
    const end = tokenEnd(text, offset, first);
    const follows: Expected | undefined = '[]{},:'.includes(first)
      ? afterMark(expected, first, open)
      : afterScalar(expected, first === '"');
    if (end === undefined || follows === undefined) return offset;
    offset = end;
    expected = follows;
  }
}

function tokenEnd(text: string, offset: number, first: string): number | undefined {
  if (first === '') return undefined;
  if ('[]{},:'.includes(first)) return offset + 1;
  if (first === '"') return stringEnd(text, offset + 1);
  return endOf(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/y, text, offset);
}

function stringEnd(text: string, start: number): number | undefined {
  let offset = start;
  while (offset < text.length) {
    const character = text.charAt(offset);
    if (character === '"') return offset + 1;
    if (character < ' ') return undefined;
    const next = character === '\\' ? endOf(/\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y, text, offset) : offset + 1;
    if (next === undefined) return undefined;
    offset = next;
  }
  return undefined;
}

function endOf(pattern: RegExp, text: string, offset: number): number | undefined {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function afterScalar(expected: Expected, isString: boolean): Expected | undefined {
  if (expected === 'value' || expected === 'value or ]') return 'after';
  return isString && (expected === 'key' || expected === 'key or }') ? ':' : undefined;
}

function afterMark(expected: Expected, mark: string, open: string[]): Expected | undefined {
  if (mark === ':') return expected === ':' ? 'value' : undefined;
  if (mark === ',') return expected === 'after' ? afterComma(open.at(-1)) : undefined;
  if (mark === '{' || mark === '[') {
    if (expected !== 'value' && expected !== 'value or ]') return undefined;
    open.push(mark);
    return mark === '{' ? 'key or }' : 'value or ]';
  }
  const opening = mark === '}' ? '{' : '[';
  const empty = mark === '}' ? 'key or }' : 'value or ]';
  return (expected === 'after' || expected === empty) && open.pop() === opening ? 'after' : undefined;
}

function afterComma(container: string | undefined): Expected | undefined {
  if (container === undefined) return undefined;
  return container === '{' ? 'key' : 'value';
}
