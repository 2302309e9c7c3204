import type { JsonLexer } from './json-lexer.ts';

/** A part of JSON source and what stands around it; undefined at the source's start and end. */
export interface JsonPart {
  readonly text: string;
  readonly before: string | undefined;
  readonly behind: string | undefined;
}

const structure = /[\s{}[\],:"]/;
const isEdge = (unit: string | undefined): boolean => unit === undefined || structure.test(unit);

/**
 * Replaces a part of JSON source so that the source stays valid: signs between values stay, each
 * string's text gives way on its own, a whole number or word becomes a string.
 * @param lexer where the part begins
 * @param replacementFor takes and answers a decoded text
 */
export function redactJson(
  lexer: JsonLexer,
  { text, before, behind }: JsonPart,
  replacementFor: (value: string) => string,
): string {
  const parts: string[] = [];
  let at = 0;
  const pass = (): void => {
    const unit = text[at] as string;
    parts.push(unit);
    lexer.read(unit);
    at += 1;
  };

  const redactString = (): void => {
    const start = at;
    let end = at;
    while (at < text.length) {
      lexer.read(text[at] as string);
      if (!lexer.inString) break;
      at += 1;
      if (!lexer.inEscape) end = at;
    }
    if (end > start) parts.push(encode(replacementFor(decode(text.slice(start, end)))));
    // An escape that ends behind this part stays whole.
    parts.push(text.slice(end, at));
    if (at < text.length) {
      parts.push('"');
      at += 1;
    }
  };

  const redactWord = (): void => {
    const start = at;
    while (at < text.length && !structure.test(text[at] as string)) at += 1;
    const word = text.slice(start, at);
    const isWhole = isEdge(start === 0 ? before : text[start - 1]) && isEdge(at === text.length ? behind : text[at]);
    if (isWhole) parts.push(JSON.stringify(replacementFor(word)));
    else parts.push(/^[-+.\deE]+$/.test(word) ? word.replaceAll(/\d/g, '9') : encode(replacementFor(word)));
  };

  while (at < text.length && lexer.inEscape) pass();
  while (at < text.length) {
    if (lexer.inString) redactString();
    else if (structure.test(text[at] as string)) pass();
    else redactWord();
  }
  return parts.join('');
}

const encode = (text: string): string => JSON.stringify(text).slice(1, -1);

const decode = (fragment: string): string => {
  try {
    return JSON.parse(`"${fragment}"`) as string;
  } catch {
    return fragment;
  }
};
