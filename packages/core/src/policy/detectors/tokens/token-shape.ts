/** The characters that a part of a token is drawn from, as a class of an expression and as a list. */
const alphabets: Readonly<Record<string, string>> = {
  hex: '0-9a-f',
  HEX: '0-9A-F',
  anyhex: '0-9A-Fa-f',
  digit: '0-9',
  letter: 'A-Za-z',
  lower: 'a-z0-9',
  upper: 'A-Z0-9',
  alnum: 'A-Za-z0-9',
  base32: 'A-Z2-7',
  base64: 'A-Za-z0-9+/',
  url: 'A-Za-z0-9_-',
};

/** A part that is the same in every token, or one of `least` to `most` characters of an alphabet. */
export type ShapePart = string | { readonly alphabet: string; readonly least: number; readonly most: number };

const uuid = '{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}';
const part = /\{(\w+):(\d+)(?:,(\d+))?\}|[^{]+/g;

/**
 * What a shape is made of. `glsa_{alnum:32}_{hex:8}` begins with `glsa_`, goes on with 32 letters or digits, a line, and eight
 * hexadecimal digits; `{alnum:20,40}` are 20 to 40; `{uuid}` is what it says. Throws on a shape that is none.
 */
export function partsOfShape(shape: string): readonly ShapePart[] {
  const parts: ShapePart[] = [];
  let length = 0;
  const source = shape.replaceAll('{uuid}', uuid);
  for (const [text, name, least, most] of source.matchAll(part)) {
    length += text.length;
    if (name === undefined) parts.push(text);
    else parts.push({ alphabet: alphabetOrThrow(name, shape), least: Number(least), most: Number(most ?? least) });
  }
  if (length !== source.length) throw new Error(`${shape} is no shape of a token`);
  return parts;
}

function alphabetOrThrow(name: string, shape: string): string {
  const alphabet = alphabets[name];
  if (alphabet === undefined) throw new Error(`${shape}: there is no alphabet ${name}`);
  return alphabet;
}

/** The characters of an alphabet, one after the other. */
export const charsOf = (alphabet: string): string =>
  alphabet.replaceAll(/(.)-(.)/g, (_range, from: string, to: string) =>
    Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, at) =>
      String.fromCharCode(from.charCodeAt(0) + at),
    ).join(''),
  );

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const countOf = (least: number, most: number): string => (least === most ? `{${least}}` : `{${least},${most}}`);

/** The expression that matches tokens of a shape, without what must stand around them. */
export const sourceOfShape = (shape: string): string =>
  partsOfShape(shape)
    .map((item) => (typeof item === 'string' ? escape(item) : `[${item.alphabet}]${countOf(item.least, item.most)}`))
    .join('');

/** What must not follow a token of a shape: more of what its last part is made of. */
export function endOfShape(shape: string): string {
  const last = partsOfShape(shape).at(-1);
  const alphabet = typeof last === 'object' ? last.alphabet : '';
  return alphabet.includes('_') ? '(?![A-Za-z0-9_-])' : '(?![A-Za-z0-9])';
}
