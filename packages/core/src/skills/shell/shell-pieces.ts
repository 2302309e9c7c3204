import type { Language } from '../package/file-kind.ts';
import type { PackageFile } from '../package/read-package.ts';
import { findFences } from '../reading/find-fences.ts';

/** A part of a file that may be a shell text. */
export interface ShellPiece {
  readonly text: string;
  /** Where it stands in its file. */
  readonly from: number;
  readonly end: number;
  /** The words behind a command may be those of a sentence. */
  readonly isProse: boolean;
  /** Places within it are those of the file. */
  readonly isExact: boolean;
}

const documents: ReadonlySet<Language> = new Set(['markdown', 'text', 'html']);
/** More pieces of one file are data. */
const mostPieces = 2_000;
const longestLine = 4_000;

/** What may be a shell text in a file, in the order in which it stands there. */
export function shellPieces({ text = '', language = 'text', ordered }: PackageFile): readonly ShellPiece[] {
  if ((ordered ?? language) === 'shell') return [whole(withoutPrompts(text), 0)];
  if ((ordered ?? language) === 'powershell') return [whole(asShell(text), 0), ...literals(text, 0)];
  const pieces = documents.has(language)
    ? ofDocument(text)
    : [...literals(text, 0), ...(language === 'config' ? bareLines(text) : [])];
  return pieces.toSorted((one, other) => one.from - other.from).slice(0, mostPieces);
}

const whole = (text: string, from: number): ShellPiece => ({
  text,
  from,
  end: from + text.length,
  isProse: false,
  isExact: true,
});

/** `$ ` at the beginning of a line is no part of the command. */
const withoutPrompts = (text: string): string =>
  /[$%❯>] /.test(text) ? text.replaceAll(/^([ \t]{0,40})[$%❯>](?= )/gm, '$1 ') : text;

/** PowerShell as far as it is alike: its backslashes part folders, and its backquotes join lines. */
const asShell = (text: string): string =>
  text
    .replaceAll('\\', '/')
    .replaceAll('`\n', '\\\n')
    .replaceAll(/(?<![\w&])& (?=["'.$\w])/g, '  ');

const shellFences: ReadonlySet<Language> = new Set(['shell', 'text']);

function ofDocument(text: string): ShellPiece[] {
  const pieces: ShellPiece[] = [];
  let rest = '';
  let from = 0;
  for (const { start, end, language } of findFences(text)) {
    const inner = text.slice(start, end);
    if (shellFences.has(language)) pieces.push(whole(withoutPrompts(inner), start));
    else if (language === 'powershell') pieces.push(whole(asShell(inner), start), ...literals(inner, start));
    else
      pieces.push(
        ...literals(inner, start),
        ...(language === 'config'
          ? bareLines(inner).map((piece) => ({ ...piece, from: piece.from + start, end: piece.end + start }))
          : []),
      );
    rest += text.slice(from, start) + blanks(inner);
    from = end;
  }
  rest += text.slice(from);
  const spans = Array.from(rest.matchAll(/`([^`\n]{3,1500})`/g), ({ index, 1: inner = '' }) => {
    // In a row of a table a bar is written with a backslash.
    return whole(withoutPrompts(inner.replaceAll('\\|', ' |')), index + 1);
  });
  const bare = rest.replaceAll(/`[^`\n]{3,1500}`/g, blanks);
  return [...pieces, ...spans, ...bareLines(bare)];
}

/** As long, with its lines. */
const blanks = (text: string): string =>
  text
    .split('\n')
    .map((line) => ' '.repeat(line.length))
    .join('\n');

const speaksShell =
  /\b(?:curl|wget|aria2c|lynx|w3m|ncat|nc|base64|xxd|openssl|https?|bash|zsh|sh|source|eval|python[23]?|perl|node|ruby|php)\b/;
const speaks = new RegExp(speaksShell.source, 'g');
const starter =
  /(?:^|[\s"'`(=[,>!:])((?:sudo|doas|bash|sh|zsh|dash|ksh|source|eval|exec|nohup|env|timeout|xargs|python[23]?|node|perl|ruby|php|deno|curl|wget|wget2|aria2c|axel|lynx|w3m|ncat|nc|echo|printf|cat|tail|head)\s|\.\s{1,3}<\()/;

/** Texts in quotes, of code. */
function literals(text: string, from: number): ShellPiece[] {
  const found: ShellPiece[] = [];
  for (const { index, 0: quoted } of text.matchAll(
    /(?<!\\)"(?:[^"\\\n]|\\.){6,2000}"|(?<!\\)'(?:[^'\\\n]|\\.){6,2000}'|(?<!\\)`(?:[^`\\]|\\[^]){6,2000}`/g,
  )) {
    const inner = quoted.slice(1, -1);
    if (!/[|<$;&\n]|-c\b/.test(inner) || !speaksShell.test(inner)) continue;
    const unescaped = inner.replaceAll(/\\(["'`\\/])/g, '$1').replaceAll('\\n', '\n');
    found.push({
      text: unescaped,
      from: from + index + 1,
      end: from + index + quoted.length - 1,
      isProse: false,
      isExact: false,
    });
    if (found.length === mostPieces) break;
  }
  return found;
}

/** Shell texts in the quotes of code in another language. */
export const shellLiterals = (text: string): readonly string[] =>
  text.includes('|') || text.includes('$(') ? literals(text, 0).map((piece) => piece.text) : [];

/** Commands that stand in a line without marks, from their first word on. */
function bareLines(text: string): ShellPiece[] {
  const found: ShellPiece[] = [];
  speaks.lastIndex = 0;
  for (let match = speaks.exec(text); match !== null && found.length < mostPieces; match = speaks.exec(text)) {
    const at = text.lastIndexOf('\n', match.index) + 1;
    const newline = text.indexOf('\n', match.index);
    const end = newline < 0 ? text.length : newline;
    speaks.lastIndex = end;
    const line = text.slice(at, Math.min(end, at + longestLine));
    // The word may stand further on than is looked at.
    if (match.index + match[0].length - at > longestLine || !/[|<$;&>]/.test(line)) continue;
    const first = starter.exec(line);
    if (first === null) continue;
    const from = first.index + first[0].length - (first[1] ?? '').length;
    found.push({ ...whole(line.slice(from), at + from), isProse: true });
  }
  return found;
}
