import { unescapeAnsi } from './unescape-ansi.ts';
import type { Command, List, Part, Pipeline, Redirect, Word } from './shell-syntax.ts';

/** Longer pieces are read to here, and what is nested deeper is text. */
const longest = 200_000;
const deepest = 8;

/** The commands of a shell text. Nothing in it is refused: what is malformed is read as far as it goes, in one pass. */
export const parseShell = (text: string): List => new ShellParser(text.slice(0, longest), 0).list(noEnds);

const noEnds: ReadonlySet<string> = new Set();
const roundEnds: ReadonlySet<string> = new Set([')']);
const braceEnds: ReadonlySet<string> = new Set(['}']);
const blockEnds: ReadonlySet<string> = new Set(['done', 'fi', 'esac']);
const opensBlock: ReadonlySet<string> = new Set(['while', 'until', 'for', 'if', 'case', 'select']);
const skipped: ReadonlySet<string> = new Set(['then', 'do', 'else', 'elif', '!', 'time', 'coproc']);
const redirect = /\d{0,2}(?:<<<|<<-?|<>|>>|>\||>&|<&|&>>|&>|<|>)/y;
const variableName = /[A-Za-z_]\w*|[0-9@*#?$!-]/y;
const plainRun = /[^\s"'`$\\|&;<>()#]+/y;
const keyword = /[a-z]{1,8}/y;

class ShellParser {
  readonly #text: string;
  readonly #depth: number;
  /** Behind the last of its kind no quotation ends: it is an apostrophe. */
  readonly #lastOf: Readonly<Record<string, number>>;
  #at = 0;
  #pending: { mark: string; redirect: { word: Word } }[] = [];

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
    this.#lastOf = { "'": text.lastIndexOf("'"), '"': text.lastIndexOf('"'), '`': text.lastIndexOf('`') };
  }

  list(ends: ReadonlySet<string>): List {
    const list: Pipeline[] = [];
    let pipeline: Command[] = [];
    const finish = (): void => {
      if (pipeline.length > 0) list.push(pipeline);
      pipeline = [];
    };
    while (this.#at < this.#text.length) {
      this.#skipBlanks();
      const char = this.#text[this.#at];
      if (char === undefined) break;
      if (char === ')') {
        if (ends.has(char)) break;
        this.#at += 1;
        continue;
      }
      if (char === '\n' || char === ';' || char === '&') {
        this.#separator(char);
        // A pipe at the end of a line goes on in the next one.
        if (!(char === '\n' && this.#pipes)) finish();
        continue;
      }
      if (char === '|') {
        this.#at += 1;
        if (this.#text[this.#at] === '|') finish();
        this.#pipes = this.#text[this.#at] !== '|';
        if (this.#text[this.#at] === '|' || this.#text[this.#at] === '&') this.#at += 1;
        continue;
      }
      this.#pipes = false;
      const word = this.#peekWord();
      if (ends.has(word)) {
        this.#at += word.length;
        break;
      }
      const before = this.#at;
      if (skipped.has(word)) this.#at += word.length;
      else pipeline.push(this.#command(word));
      // What nothing takes is left out.
      if (this.#at === before) this.#at += 1;
    }
    finish();
    return list;
  }

  #pipes = false;

  #separator(char: string): void {
    this.#at += 1;
    if (char === '\n') this.#readHeredocs();
    else if (this.#text[this.#at] === char) this.#at += 1;
  }

  #skipBlanks(): void {
    for (;;) {
      const char = this.#text[this.#at];
      if (char === ' ' || char === '\t' || char === '\r') this.#at += 1;
      else if (char === '\\' && /[\r\n]/.test(this.#text[this.#at + 1] ?? '')) this.#at += 2;
      else if (char === '#') {
        const end = this.#text.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      } else return;
    }
  }

  #peekWord(): string {
    const char = this.#text[this.#at];
    if (char === '{' || char === '}' || char === '(')
      return char === '(' || /^[\s;]?$/.test(this.#text[this.#at + 1] ?? '') ? char : '';
    if (char === '!') return /\s/.test(this.#text[this.#at + 1] ?? '') ? char : '';
    keyword.lastIndex = this.#at;
    const word = keyword.exec(this.#text)?.[0] ?? '';
    return /^[\s;&|()]?$/.test(this.#text[this.#at + word.length] ?? '') ? word : '';
  }

  #command(word: string): Command {
    const start = this.#at;
    const isTest = this.#text.startsWith('[[', start) || this.#text.startsWith('((', start);
    if (isTest && this.#skipsTest()) return { words: [], redirects: [], start, end: this.#at };
    if (word === '(' || word === '{') {
      this.#at += 1;
      const group = this.#nested(word === '(' ? roundEnds : braceEnds);
      if (word === '(' && this.#text[this.#at] === ')') this.#at += 1;
      // Behind a group stand redirects only.
      const { redirects } = this.#simple();
      return { words: [], redirects, group, start, end: this.#at };
    }
    if (opensBlock.has(word)) {
      this.#at += word.length;
      const head = word === 'for' || word === 'select' || word === 'case' ? this.#simple().words : undefined;
      const group = this.#nested(blockEnds);
      const { redirects } = this.#simple();
      return { words: [], redirects, group, head, start, end: this.#at };
    }
    const { words, redirects, defines } = this.#simple(true);
    if (defines === undefined) return { words, redirects, start, end: this.#at };
    this.#skipBlanks();
    const hasBody = this.#text[this.#at] === '{' || this.#text[this.#at] === '(';
    const group = hasBody ? [[this.#command(this.#text[this.#at] as string)]] : [];
    return { words: [], redirects, group, defines, start, end: this.#at };
  }

  /** What compares and counts runs nothing by itself. */
  #skipsTest(): boolean {
    const closing = this.#text[this.#at] === '[' ? ']]' : '))';
    const length = this.#text.slice(this.#at, this.#at + 1_000).indexOf(closing);
    if (length < 0) return false;
    this.#at += length + closing.length;
    return true;
  }

  #nesting = 0;

  #nested(ends: ReadonlySet<string>): List {
    if (this.#nesting + this.#depth >= deepest) return [];
    this.#nesting += 1;
    const list = this.list(ends);
    this.#nesting -= 1;
    return list;
  }

  /** Words and redirects up to what ends a command; with `mayDefine` a name in front of `()` is a function. */
  #simple(mayDefine = false): { words: Word[]; redirects: Redirect[]; defines?: string } {
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      this.#skipBlanks();
      const char = this.#text[this.#at];
      if (char === undefined || '\n;|)'.includes(char)) break;
      if (char === '&' && this.#text[this.#at + 1] !== '>') break;
      if (char === '(') {
        if (/^[A-Za-z_]\w*\+?=$/.test(plainOf(words.at(-1)) ?? '')) {
          words.push(this.#array(words.pop() as Word));
          continue;
        }
        const defines = words.length > 0 ? plainOf(words.at(-1)) : undefined;
        const rest = /^\(\s{0,4}\)/.exec(this.#text.slice(this.#at, this.#at + 8))?.[0];
        if (rest === undefined || !mayDefine || defines === undefined) break;
        this.#at += rest.length;
        return { words: [], redirects, defines };
      }
      redirect.lastIndex = this.#at;
      const operator = this.#opensProcess() ? undefined : redirect.exec(this.#text)?.[0];
      if (operator === undefined) words.push(this.#word());
      else redirects.push(this.#redirect(operator));
    }
    return { words, redirects };
  }

  /** `NAME=(…)`: its words beside each other. */
  #array(name: Word): Word {
    this.#at += 1;
    const parts = [...name.parts];
    for (;;) {
      this.#skipBlanks();
      const char = this.#text[this.#at];
      if (char === '\n') this.#at += 1;
      else if (char === undefined || char === ')') break;
      else {
        if (parts.length > name.parts.length) parts.push({ kind: 'text', text: ' ', quoted: true, escaped: false });
        parts.push(...this.#word().parts);
      }
    }
    this.#at += 1;
    return { parts };
  }

  #opensProcess = (): boolean =>
    (this.#text[this.#at] === '<' || this.#text[this.#at] === '>') && this.#text[this.#at + 1] === '(';

  #redirect(operator: string): Redirect {
    this.#at += operator.length;
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at += 1;
    const [descriptor = ''] = /^\d*/.exec(operator) ?? [];
    const made = { operator: operator.slice(descriptor.length), descriptor, word: this.#word() };
    if (!/^\d*<<-?$/.test(operator)) return made;
    this.#pending.push({ mark: plainOf(made.word) ?? '', redirect: made });
    return made;
  }

  #readHeredocs(): void {
    for (const { mark, redirect: made } of this.#pending) {
      const from = this.#at;
      let at = from;
      while (at < this.#text.length) {
        const newline = this.#text.indexOf('\n', at);
        const end = newline < 0 ? this.#text.length : newline;
        const isEnd = this.#text.slice(at, Math.min(end, at + 200)).trim() === mark;
        if (isEnd) break;
        at = end + 1;
      }
      made.word = { parts: [{ kind: 'text', text: this.#text.slice(from, at), quoted: true, escaped: false }] };
      const last = this.#text.indexOf('\n', at);
      this.#at = last < 0 ? this.#text.length : last + 1;
    }
    this.#pending = [];
  }

  #word(): Word {
    const parts: Part[] = [];
    const from = this.#at;
    while (this.#at < this.#text.length) {
      const part = this.#part(this.#at === from);
      if (part === undefined) break;
      parts.push(part);
    }
    // What begins no word is left out, so that reading goes on.
    if (this.#at === from) this.#at += 1;
    return { parts };
  }

  #part(isFirst: boolean): Part | undefined {
    const char = this.#text[this.#at] as string;
    if (this.#opensProcess() && isFirst) {
      this.#at += 2;
      return { kind: 'process', direction: char as '<' | '>', list: this.#substitution() };
    }
    if (/[\s|&;<>()]/.test(char)) return undefined;
    if (char === '"' && this.#at < (this.#lastOf[char] ?? -1)) return this.#doubleQuoted();
    if (char === "'" && this.#at < (this.#lastOf[char] ?? -1)) {
      const end = this.#text.indexOf("'", this.#at + 1);
      return this.#take(this.#text.slice(this.#at + 1, end), end + 1, true);
    }
    if (char === '$' || char === '`') return this.#expansion(false) ?? this.#take(char, this.#at + 1, false);
    if (char === '\\') return this.#take(this.#text[this.#at + 1] ?? '', this.#at + 2, false, true);
    plainRun.lastIndex = this.#at;
    const run = plainRun.exec(this.#text)?.[0] ?? char;
    return this.#take(run, this.#at + run.length, false);
  }

  #take(text: string, end: number, quoted: boolean, escaped = false): Part {
    this.#at = Math.min(end, this.#text.length);
    return { kind: 'text', text, quoted, escaped };
  }

  /** One part for what stands in double quotes where nothing is worked out, and a group of parts otherwise. */
  #doubleQuoted(): Part {
    this.#at += 1;
    const parts: Part[] = [];
    let text = '';
    const flush = (): void => {
      if (text !== '') parts.push({ kind: 'text', text, quoted: true, escaped: false });
      text = '';
    };
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      const char = this.#text[this.#at] as string;
      if (char === '\\') {
        const next = this.#text[this.#at + 1] ?? '';
        text += '"$`\\'.includes(next) ? next : next === '\n' ? '' : char + next;
        this.#at += 2;
        continue;
      }
      const part = char === '$' || char === '`' ? this.#expansion(true) : undefined;
      if (part !== undefined) {
        flush();
        parts.push(part);
        continue;
      }
      text += char;
      this.#at += 1;
    }
    this.#at += 1;
    flush();
    const [only] = parts;
    if (only !== undefined && parts.length === 1) return only;
    return { kind: 'quoted', parts };
  }

  /** What `$` and backquotes stand for; undefined where they are signs. */
  #expansion(quoted: boolean): Part | undefined {
    const next = this.#text[this.#at + 1];
    if (this.#text[this.#at] === '`') {
      if (this.#at >= (this.#lastOf['`'] ?? -1)) return undefined;
      const end = this.#text.indexOf('`', this.#at + 1);
      const inner = this.#text.slice(this.#at + 1, end);
      this.#at = end + 1;
      return { kind: 'command', list: this.#inner(inner), quoted };
    }
    if (next === '(') {
      this.#at += 2;
      return { kind: 'command', list: this.#substitution(), quoted };
    }
    if (next === "'" && !quoted) return this.#ansi();
    if (next === '"' && !quoted && this.#at + 1 < (this.#lastOf['"'] ?? -1)) {
      this.#at += 1;
      return this.#doubleQuoted();
    }
    if (next === '{') {
      const length = this.#text.slice(this.#at, this.#at + 200).indexOf('}');
      if (length < 0) return undefined;
      const end = this.#at + length;
      const expression = this.#text.slice(this.#at + 2, end);
      this.#at = end + 1;
      return { kind: 'variable', expression, quoted };
    }
    variableName.lastIndex = this.#at + 1;
    const name = variableName.exec(this.#text)?.[0];
    if (name === undefined) return undefined;
    this.#at += 1 + name.length;
    return { kind: 'variable', expression: name, quoted };
  }

  #ansi(): Part | undefined {
    if (this.#at + 1 >= (this.#lastOf["'"] ?? -1)) return undefined;
    const end = this.#text.indexOf("'", this.#at + 2);
    return this.#take(unescapeAnsi(this.#text.slice(this.#at + 2, end)), end + 1, true, true);
  }

  #substitution(): List {
    const list = this.#nested(roundEnds);
    if (this.#text[this.#at] === ')') this.#at += 1;
    return list;
  }

  #inner = (text: string): List =>
    this.#depth + this.#nesting >= deepest ? [] : new ShellParser(text, this.#depth + this.#nesting + 1).list(noEnds);
}

const plainOf = (word: Word | undefined): string | undefined => {
  const [part] = word?.parts ?? [];
  return part?.kind === 'text' ? part.text : undefined;
};
