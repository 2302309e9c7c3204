import { joined, nothing, textContent, type Content } from './shell-values.ts';
import type { List, Part, Word } from './shell-syntax.ts';
import { interpreters, shells, downloaders, commandsWorthHiding } from './shell-commands.ts';

/** A word as its command is given it. */
export interface Field {
  readonly content: Content;
  /** The text as far as it is known. */
  readonly text: string;
  /** Its pieces that stand in the text as they are. */
  atoms(): readonly string[];
  /** A list that runs with what is written to this word, as of `>(…)`. */
  readonly reader?: List | undefined;
}

export interface Surroundings {
  readonly variables: ReadonlyMap<string, Content>;
  /** Runs what stands in `$(…)` and answers what it prints. */
  print(list: List): Content;
}

/** More words than anyone writes. */
const mostFields = 200;

export function expandWords(words: readonly Word[], around: Surroundings): Field[] {
  const fields: Field[] = [];
  for (const word of words) {
    for (const one of expandBraces(word)) fields.push(...expandWord(one, around));
    if (fields.length >= mostFields) break;
  }
  return fields;
}

const isBraceList = (text: string): boolean =>
  text.startsWith('{') && text.includes(',') && /^\{[^{}]{3,800}\}$/.test(text);

/** `{curl,-s,URL}` is three words. */
function expandBraces(word: Word): readonly Word[] {
  const [part] = word.parts;
  if (word.parts.length !== 1 || part?.kind !== 'text' || part.quoted || !isBraceList(part.text)) return [word];
  const inner = part.text.slice(1, -1).split(',');
  return inner.map((text) => ({ parts: [{ ...part, text, escaped: true }] }));
}

/** One word; several where a variable outside of quotes holds blanks, and none where it is empty. */
function expandWord({ parts }: Word, around: Surroundings): readonly Field[] {
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'text') {
    const { text, escaped } = only;
    return [{ content: textContent(text), text, atoms: () => (escaped ? [] : [text]) }];
  }
  if (only?.kind === 'process') {
    if (only.direction === '>') return [{ content: nothing, text: '', atoms: noAtoms, reader: only.list }];
    return [{ content: around.print(only.list), text: '/dev/fd/63', atoms: noAtoms }];
  }
  const contents = parts.map((part) => contentOf(part, around));
  const content = joined(contents);
  const text = contents.map((one) => one.text ?? '').join('');
  const atoms = (): readonly string[] => atomsOf(parts, contents);
  if (!parts.some((part, index) => isSplit(part, contents[index], around))) {
    const isEmpty = text === '' && content.text !== undefined && parts.every(({ kind }) => kind === 'variable');
    return isEmpty ? [] : [{ content, text, atoms }];
  }
  const split = (whole: string): string[] => withBlanks(whole, around).split(/\s+/, mostFields);
  const pieces = split(text).filter((piece) => piece !== '');
  const ofPieces = (): readonly string[] => [...atoms(), ...atoms().flatMap(split)];
  return pieces.map((piece) => ({ content: { ...content, text: piece }, text: piece, atoms: ofPieces }));
}

/** What words come to beside each other. */
export const besides = (fields: readonly Field[]): Content =>
  joined(
    fields.map(({ content }) => content),
    ' ',
  );

export const noAtoms = (): readonly string[] => [];

const isSplit = (part: Part, content: Content | undefined, around: Surroundings): boolean =>
  (part.kind === 'variable' || part.kind === 'command') &&
  (!part.quoted || (part.kind === 'variable' && /(?:^|\[)@\]?$/.test(part.expression))) &&
  /\s/.test(withBlanks(content?.text ?? '', around));

/** With blanks in place of what parts words, which a script may set. */
function withBlanks(text: string, { variables }: Surroundings): string {
  const set = variables.get('IFS')?.text?.trim() ?? '';
  return set === '' ? text : Array.from(text, (char) => (set.includes(char) ? ' ' : char)).join('');
}

/** A backslash before the first letter only passes an alias by. */
function atomsOf(parts: readonly Part[], contents: readonly Content[]): readonly string[] {
  const [first, second] = parts;
  if (first?.kind === 'text' && first.escaped && !first.quoted && second?.kind === 'text' && parts.length === 2)
    return [first.text + second.text];
  return parts.flatMap((part, index) => {
    if (part.kind === 'text') return part.escaped ? [] : [part.text];
    const { text, isPlain } = contents[index] ?? nothing;
    return text !== undefined && (part.kind === 'variable' || isPlain === true) ? [text] : [];
  });
}

function contentOf(part: Part, around: Surroundings): Content {
  if (part.kind === 'text') return textContent(part.text);
  if (part.kind === 'quoted') return joined(part.parts.map((inner) => contentOf(inner, around)));
  if (part.kind === 'variable') return valueOf(part.expression, around.variables);
  const { text, ...rest } = around.print(part.list);
  return { ...rest, text: text?.trimEnd() };
}

const operation =
  /^(!?)([A-Za-z_]\w*|[0-9@*#?])(?:\[[@*]\])?(?:(:?[-=+?])([^]*)|(:)(\d{1,4})(?::(\d{1,4}))?|(%%?|##?)([^]*)|(\/\/?)([^/]*)\/?([^]*)|(\^\^?|,,?))?$/;

/** `${NAME}` with what bash does to it; of what is not known, a default counts. */
function valueOf(expression: string, variables: ReadonlyMap<string, Content>): Content {
  const found = operation.exec(expression);
  if (found === null) return nothing;
  const [
    ,
    indirect,
    name = '',
    ,
    fallback,
    slice,
    from = '0',
    length,
    trim,
    cut = '',
    replace,
    what = '',
    by = '',
    change,
  ] = found;
  const held = variables.get(name) ?? predefined.get(name);
  const content = indirect === '!' ? variables.get(held?.text ?? '') : held;
  if (content?.text === undefined)
    return fallback === undefined ? (content ?? nothing) : joined([content ?? nothing, textContent(fallback)]);
  const { text } = content;
  if (slice !== undefined)
    return {
      ...content,
      text: text.slice(Number(from), length === undefined ? undefined : Number(from) + Number(length)),
    };
  if (trim !== undefined && /^[\w./-]*$/.test(cut)) {
    const isEnd = trim.startsWith('%');
    return {
      ...content,
      text:
        isEnd && text.endsWith(cut)
          ? text.slice(0, text.length - cut.length)
          : !isEnd && text.startsWith(cut)
            ? text.slice(cut.length)
            : text,
    };
  }
  if (replace !== undefined && what !== '')
    return { ...content, text: replace === '//' ? text.replaceAll(what, by) : text.replace(what, by) };
  if (change !== undefined)
    return { ...content, text: change.startsWith('^') ? text.toUpperCase() : text.toLowerCase() };
  return content;
}

const predefined: ReadonlyMap<string, Content> = new Map([
  ['IFS', { text: ' ' }],
  ['HOME', { text: '~' }],
  ['SHELL', { text: '/bin/bash' }],
  ['BASH', { text: '/bin/bash' }],
]);

const names: readonly string[] = [
  ...new Set([...commandsWorthHiding, ...downloaders, ...shells, ...interpreters.keys()]),
];
const folders: readonly string[] = ['/bin/', '/usr/bin/', '/usr/local/bin/', '/sbin/'];

/** The name of a command without its folder; one with signs for any letter is the first that it fits. */
export function commandName(text: string): { readonly name: string; readonly isPattern: boolean } {
  if (/^[a-z]+$/.test(text)) return { name: text, isPattern: false };
  if (/[?*[]/.test(text) && text.length <= 80) {
    const pattern = globPattern(text);
    const places = text.includes('/') ? folders : [''];
    const found = pattern && names.find((name) => places.some((folder) => pattern.test(folder + name)));
    if (found !== undefined) return { name: found, isPattern: true };
  }
  // Makefiles and notebooks set signs before a command.
  const name = text.slice(text.lastIndexOf('/') + 1).replace(/^[@!-](?=\w)/, '');
  return { name: /^python[\d.]*$/.test(name) ? 'python' : name.replace(/\.exe$/i, ''), isPattern: false };
}

/** Undefined where everything fits, or where it is none. */
function globPattern(glob: string): RegExp | undefined {
  if (!/[a-z]/i.test(glob) || glob.split('*').length > 4) return undefined;
  const source = glob.replaceAll(/\[[^\]]{1,20}\]|[^]/g, (sign) =>
    sign === '*'
      ? '[^/]{0,12}'
      : sign === '?'
        ? '[^/]'
        : sign.length > 1
          ? sign.replace('[!', '[^').replaceAll('\\', '')
          : RegExp.escape(sign),
  );
  try {
    return new RegExp(`^${source}$`);
  } catch {
    return undefined;
  }
}
