import { besides, type Field } from './expand-words.ts';
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

/** `$NAME = …`, as PowerShell writes it. */
export function assignedName([first, second, ...rest]: readonly Word[]): string | undefined {
  const [part] = first?.parts ?? [];
  const [sign] = second?.parts ?? [];
  const isAssigned = first?.parts.length === 1 && sign?.kind === 'text' && sign.text === '=' && rest.length > 0;
  return isAssigned && part?.kind === 'variable' ? part.expression : undefined;
}

/** What `read` puts into so many variables: a word each, and the rest into the last one. Undefined where it is not known. */
export function lastWords(text: string | undefined, count: number): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const words = text.trim().split(/\s+/);
  return [...words.slice(0, count - 1), words.slice(count - 1).join(' ')];
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

/** What echo prints. */
export function echoed(given: readonly Field[]): Content {
  const words = given.filter(({ text }) => !/^-[neE]{1,3}$/.test(text));
  const { text, ...rest } = besides(words);
  const escapes = given.some(({ text: option }) => /^-n?e/.test(option));
  return { ...rest, text: escapes && text !== undefined ? unescapeAnsi(text) : text };
}

/** What cp and the like copy where; undefined where they are told of one path only. */
export function copied(given: readonly Field[]): { readonly from: string; readonly to: string } | undefined {
  const paths = given.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
  const [from, to] = [paths[0], paths.at(-1)];
  if (from === undefined || to === undefined || paths.length < 2) return undefined;
  const name = from.slice(from.lastIndexOf('/') + 1);
  return { from, to: to.endsWith('/') || to === '.' ? `${to.replace(/\/$/, '')}/${name}` : to };
}
