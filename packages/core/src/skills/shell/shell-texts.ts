import type { Field } from './expand-words.ts';
import { nothing, origins, type Content } from './shell-values.ts';
import type { Word } from './shell-syntax.ts';
import { unescapeAnsi } from './unescape-ansi.ts';

/** `NAME=value`, with the value as a word. */
export function bindingOf({
  parts: [first, ...rest],
}: Word): { readonly name: string; readonly value: Word } | undefined {
  if (first?.kind !== 'text' || first.quoted || first.escaped) return undefined;
  const found = /^([A-Za-z_]\w*)\+?=/.exec(first.text);
  if (found === null) return undefined;
  const text = first.text.slice(found[0].length);
  return { name: found[1] ?? '', value: { parts: text === '' ? rest : [{ ...first, text }, ...rest] } };
}

/** What printf prints: every place of its format is filled in turn. */
export function formatted(given: readonly Field[]): Content {
  const [format, ...values] = given.filter(({ text }, index) => index > 0 || text !== '--');
  if (format === undefined) return nothing;
  const rest = origins(given.map(({ content }) => content));
  if (given.some(({ content }) => content.text === undefined)) return rest;
  let index = 0;
  const text = format.text.replaceAll(/%(?:-?\d{0,3})([sbdcqxi%])/g, (_whole, sign: string) => {
    if (sign === '%') return '%';
    index += 1;
    const value = values[index - 1]?.text ?? '';
    return sign === 'b' ? unescapeAnsi(value) : value;
  });
  return { ...rest, text: unescapeAnsi(text).slice(0, 4_000) };
}

/** What stands behind an encoding. */
export function decodedText(name: string, text: string): string | undefined {
  const packed = text.replaceAll(/\s/g, '');
  if (name === 'base64' || name === 'openssl' || name === 'basenc')
    return Buffer.from(packed, 'base64').toString('utf8');
  return name === 'xxd' ? Buffer.from(packed, 'hex').toString('utf8') : undefined;
}
