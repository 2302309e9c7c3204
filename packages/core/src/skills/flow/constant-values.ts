/* Values of constant expressions, and what operators and well-known functions make of them. */

export interface TextValue {
  readonly text: string;
  /** The literals that it is made of. */
  readonly atoms: readonly string[];
}
export type Value = TextValue | number | readonly Value[] | ReadonlyMap<string, Value>;

/** Longer texts are data. */
const longest = 2_000;
export const isText = (value: Value | undefined): value is TextValue => typeof value === 'object' && 'text' in value;
export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);
export const isMap = (value: Value | undefined): value is ReadonlyMap<string, Value> => value instanceof Map;
export const text = (value: string, atoms: readonly string[] = [value]): TextValue => ({
  text: value.slice(0, longest),
  atoms: atoms.slice(0, 64),
});

export const known = (items: readonly (Value | undefined)[]): Value | undefined =>
  items.every((item) => item !== undefined) ? items : undefined;

export const itemsOf = (value: Value | undefined): readonly Value[] =>
  isList(value) ? value : isText(value) ? Array.from(value.text, (char) => text(char)) : [];

export function combine(operator: string, left: Value, right: Value | undefined): Value | undefined {
  if (right === undefined) return undefined;
  if (operator === '+' && isText(left) && isText(right))
    return text(left.text + right.text, [...left.atoms, ...right.atoms]);
  if (operator === '+' && isList(left) && isList(right)) return [...left, ...right];
  if (operator === '*' && isText(left) && typeof right === 'number')
    return text(left.text.repeat(Math.min(64, right)), left.atoms);
  if (operator === '%' && isText(left)) return formatWith(left, isList(right) ? right : [right]);
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  return operator === '*' ? left * right : operator === '^' ? left ^ right : left % right;
}

function formatWith(pattern: TextValue, values: readonly (Value | undefined)[]): Value | undefined {
  let index = 0;
  const atoms = [...pattern.atoms];
  let isKnown = true;
  const whole = pattern.text.replaceAll(/%[sd]|\{\d?\}/g, () => {
    const value = values[index];
    index += 1;
    if (isText(value)) atoms.push(...value.atoms);
    else if (typeof value !== 'number') isKnown = false;
    return isText(value) ? value.text : typeof value === 'number' ? String(value) : '';
  });
  return isKnown ? text(whole, atoms) : undefined;
}

export const functions = new Set([
  'chr',
  'ord',
  'str',
  'bytes',
  'bytearray',
  'list',
  'tuple',
  'reversed',
  'reduce',
  'b64decode',
  'fromhex',
  'unhexlify',
  'fromCharCode',
  'atob',
  'decode',
  'map',
  'String',
  'unescape',
  'decodeURIComponent',
  'from',
]);
export const methods = new Set([
  'join',
  'replace',
  'decode',
  'format',
  'lower',
  'upper',
  'strip',
  'toLowerCase',
  'concat',
  'reverse',
  'split',
  'toString',
  'get',
  'trim',
  'replaceAll',
  'encode',
  'hex',
  'slice',
  'charAt',
  'swapcase',
]);

export function callFunction(name: string, given: readonly (Value | undefined)[]): Value | undefined {
  const [first, second] = given;
  if (name === 'chr' && typeof first === 'number')
    return text(String.fromCodePoint(Math.min(0x10_ffff, Math.max(0, first))), []);
  if (name === 'ord' && isText(first)) return first.text.codePointAt(0);
  if (name === 'fromCharCode')
    return given.every((code) => typeof code === 'number')
      ? text(String.fromCharCode(...(given as number[])), [])
      : undefined;
  if (name === 'reversed')
    return isText(first) ? itemsOf(first).toReversed() : isList(first) ? first.toReversed() : undefined;
  if (name === 'map' && isList(second))
    return second.every((code) => typeof code === 'number')
      ? second.map((code) => text(String.fromCodePoint(code), []))
      : undefined;
  if (name === 'reduce') return joinTexts(isText(first) && first.atoms.length === 0 ? second : undefined, '');
  if (name === 'bytes' || name === 'bytearray')
    return isList(first) && first.every((code) => typeof code === 'number')
      ? text(String.fromCharCode(...(first as number[])), [])
      : first;
  if (name === 'b64decode' || name === 'atob')
    return isText(first) ? text(Buffer.from(first.text, 'base64').toString('latin1'), []) : undefined;
  if (name === 'fromhex' || name === 'unhexlify')
    return isText(first) ? text(Buffer.from(first.text, 'hex').toString('latin1'), []) : undefined;
  if (name === 'decode' || name === 'from')
    return isText(first) ? decodeText(first, isText(second) ? second.text : '') : undefined;
  if (name === 'str' || name === 'String' || name === 'list' || name === 'tuple')
    return typeof first === 'number' ? text(String(first)) : first;
  return undefined;
}

function decodeText({ text: inner }: TextValue, encoding: string): Value {
  if (/^rot.?13$/i.test(encoding)) {
    return text(
      inner.replaceAll(/[a-zA-Z]/g, (char) =>
        String.fromCharCode(((char.toLowerCase().charCodeAt(0) - 84) % 26) + (char < 'a' ? 65 : 97)),
      ),
      [],
    );
  }
  if (encoding === 'base64' || encoding === 'hex') return text(Buffer.from(inner, encoding).toString('latin1'), []);
  return text(inner, []);
}

export function callMethod(
  value: Value | undefined,
  name: string,
  given: readonly (Value | undefined)[],
): Value | undefined {
  const [first, second] = given;
  if (name === 'join')
    return isText(value)
      ? joinTexts(given.length > 1 ? known(given) : first, value.text)
      : joinTexts(value, isText(first) ? first.text : ',');
  if (isMap(value) && name === 'get' && isText(first)) return value.get(first.text);
  if (isList(value) && name === 'reverse') return value.toReversed();
  if (!isText(value)) return undefined;
  if ((name === 'replace' || name === 'replaceAll') && isText(first) && isText(second))
    return text(
      value.text.replaceAll(first.text, second.text),
      value.atoms.filter((atom) => atom !== value.text),
    );
  if (name === 'lower' || name === 'toLowerCase') return text(value.text.toLowerCase(), value.atoms);
  if (name === 'swapcase') return text(value.text.toLowerCase(), value.atoms);
  if (name === 'format') return formatWith(value, given);
  if (name === 'split') return isText(first) ? value.text.split(first.text).map((part) => text(part)) : undefined;
  if (name === 'concat')
    return given.reduce<Value | undefined>(
      (sum, part) => (sum === undefined ? undefined : combine('+', sum, part)),
      value,
    );
  return ['decode', 'encode', 'toString', 'strip', 'trim'].includes(name) ? value : undefined;
}

function joinTexts(list: Value | undefined, between: string): Value | undefined {
  const items = itemsOf(list);
  if (items.length === 0 || !items.every(isText)) return undefined;
  return text(
    items.map((item) => item.text).join(between),
    items.flatMap(({ atoms }) => atoms),
  );
}
