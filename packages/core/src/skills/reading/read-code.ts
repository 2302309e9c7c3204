import type { Language } from '../package/file-kind.ts';

/** One statement, or one command line with everything that is piped into it. */
export interface Statement {
  readonly start: number;
  readonly end: number;
  /** As long as the original, with comments as blanks. */
  readonly text: string;
  /** Columns before it: what a function holds is indented further than its head, in every language that people format. */
  readonly indent: number;
}

export interface Comment {
  readonly start: number;
  readonly end: number;
  /** A text that documents code: models read those of tools. */
  readonly isDocstring: boolean;
}

export interface CodeReading {
  readonly statements: readonly Statement[];
  readonly comments: readonly Comment[];
}

/** A statement is cut where it grows longer: nothing legible does. */
const longestStatement = 4_000;

interface Grammar {
  readonly hash: boolean;
  readonly slashes: boolean;
  readonly triple: boolean;
  readonly backtick: 'string' | 'command' | 'none';
  /** A line that ends in this goes on in the next one. */
  readonly goesOn: RegExp;
  /** Brackets join lines. */
  readonly brackets: boolean;
  /** Braces behind a head or an arrow hold statements. */
  readonly blocks: boolean;
}

const shell: Grammar = {
  hash: true,
  slashes: false,
  triple: false,
  backtick: 'command',
  goesOn: /(?:\\|\||&&)$/,
  brackets: false,
  blocks: false,
};
const script: Grammar = {
  hash: false,
  slashes: true,
  triple: false,
  backtick: 'string',
  goesOn: /(?:[=+,.?:(|]|&&)$/,
  brackets: true,
  blocks: true,
};
const python: Grammar = {
  hash: true,
  slashes: false,
  triple: true,
  backtick: 'none',
  goesOn: /\\$/,
  brackets: true,
  blocks: false,
};

const grammars: Partial<Record<Language, Grammar>> = {
  shell,
  powershell: { ...shell, backtick: 'none', goesOn: /[`|,]$/ },
  javascript: script,
  go: script,
  php: { ...script, hash: true, backtick: 'command' },
  python,
  ruby: { ...python, triple: false, backtick: 'command', goesOn: /(?:[\\,.|]|&&)$/ },
  config: { ...shell, goesOn: /(?!)/ },
};

/** Splits a source into statements and comments. Sources with mistakes are read as far as they go: hostile ones have them. */
export const readCode = (text: string, language: Language): CodeReading =>
  new CodeReader(text, grammars[language] ?? { ...shell, hash: false, goesOn: /(?!)/ }).read();

interface KnownReading {
  readonly language: Language;
  readonly reading: CodeReading;
}
const known = new WeakMap<object, KnownReading>();

/** The same for a source that several ask about; it is kept as long as its owner. */
export function readCodeOnce(owner: object, text: string, language: Language): CodeReading {
  const kept = known.get(owner);
  if (kept?.language === language) return kept.reading;
  const reading = readCode(text, language);
  known.set(owner, { language, reading });
  return reading;
}

class CodeReader {
  readonly #text: string;
  readonly #grammar: Grammar;
  readonly #statements: Statement[] = [];
  readonly #comments: Comment[] = [];
  /** Open brackets; a block's brace is `B`. */
  #open: string[] = [];
  #start = 0;

  constructor(text: string, grammar: Grammar) {
    this.#text = text;
    this.#grammar = grammar;
  }

  read(): CodeReading {
    const text = this.#text;
    for (let at = 0; at < text.length; at += 1) at = this.#step(at);
    this.#finish(text.length);
    return { statements: this.#statements, comments: this.#comments };
  }

  /** Takes what stands at a place; answers the last place it took. */
  #step(at: number): number {
    const char = this.#text[at] as string;
    if (at - this.#start > longestStatement) {
      this.#open = this.#open.filter((bracket) => bracket === 'B');
      this.#finish(at);
    }
    if (char === '\n') this.#endLine(at);
    else if (char === '"' || char === "'" || (char === '`' && this.#grammar.backtick === 'string'))
      return this.#skipString(at, char);
    else if (this.#opensComment(at)) return this.#skipComment(at);
    else if (char === '\\') return at + (this.#text[at + 1] === '\n' ? 0 : 1);
    else if (char === ';' && this.#isFree()) this.#finish(at + 1);
    else if (this.#grammar.brackets) this.#bracket(char, at);
    return at;
  }

  #isFree = (): boolean => this.#open.length === 0 || this.#open.at(-1) === 'B';

  #bracket(char: string, at: number): void {
    if (char === '(' || char === '[') this.#open.push(char);
    else if (char === '{') {
      const isBlock =
        this.#grammar.blocks &&
        /(?:=>|\)|\belse|\btry|\bfinally|\bdo|\{|;|\n)\s{0,8}$/.test(
          this.#text.slice(Math.max(this.#start, at - 12), at),
        );
      this.#open.push(isBlock ? 'B' : char);
      if (isBlock) this.#finish(at + 1);
    } else if (char === ')' || char === ']' || char === '}') {
      const closed = this.#open.pop();
      if (closed === 'B') this.#finish(at);
    }
  }

  #endLine(at: number): void {
    if (!this.#isFree() && this.#grammar.brackets) return;
    const line = this.#text.slice(Math.max(this.#start, at - 200), at).trimEnd();
    if (this.#grammar.goesOn.test(line)) return;
    // A chain of calls goes on in a line that begins with a point or a pipe.
    if (this.#grammar.blocks && /^\s{0,40}\.\w/.test(this.#text.slice(at, at + 44))) return;
    if (!this.#grammar.brackets && /^\s{0,40}\|[^|]/.test(this.#text.slice(at, at + 44))) return;
    this.#finish(at);
  }

  #opensComment(at: number): boolean {
    const { hash, slashes } = this.#grammar;
    const [char, next, before] = [this.#text[at], this.#text[at + 1], this.#text[at - 1]];
    if (char === '#') return hash && (before === undefined || /[\s;]/.test(before)) && !(at === 0 && next === '!');
    return slashes && char === '/' && (next === '/' || next === '*') && before !== ':';
  }

  #skipComment(at: number): number {
    const isBlock = this.#text[at + 1] === '*' && this.#text[at] === '/';
    const found = isBlock ? this.#text.indexOf('*/', at + 2) : this.#text.indexOf('\n', at);
    const end = found < 0 ? this.#text.length : isBlock ? found + 2 : found;
    this.#comments.push({ start: at, end, isDocstring: this.#text.startsWith('/**', at) });
    return end - 1;
  }

  #skipString(at: number, quote: string): number {
    const isTriple = this.#grammar.triple && this.#text.startsWith(quote.repeat(3), at);
    if (isTriple) {
      const found = this.#text.indexOf(quote.repeat(3), at + 3);
      const end = found < 0 ? this.#text.length : found + 3;
      if (this.#text.slice(this.#start, at).trim() === '') this.#comments.push({ start: at, end, isDocstring: true });
      return end - 1;
    }
    const isShell = !this.#grammar.brackets;
    for (let end = at + 1; end < this.#text.length; end += 1) {
      const char = this.#text[end];
      if (char === '\\') end += 1;
      else if (char === quote) return end;
      // A quote that is never closed in its line is an apostrophe.
      else if (char === '\n' && (quote === "'" || quote === '"') && !(isShell && this.#closesSoon(end, quote)))
        return at;
    }
    return at;
  }

  #closesSoon(at: number, quote: string): boolean {
    const found = this.#text.indexOf(quote, at);
    return found >= 0 && found - at < 400;
  }

  #finish(end: number): void {
    const start = this.#start;
    this.#start = end;
    const whole = this.#text.slice(start, end);
    if (whole.trim() === '') return;
    const lead = /^\s*/.exec(whole)?.[0] ?? '';
    const indent = lead.length - 1 - lead.lastIndexOf('\n');
    const text = this.#withoutComments(start, end, whole);
    if (text.trim() !== '') this.#statements.push({ start, end, text, indent });
  }

  #withoutComments(start: number, end: number, whole: string): string {
    const comments = this.#comments;
    let first = comments.length;
    while (first > 0 && (comments[first - 1] as Comment).end > start) first -= 1;
    if (first === comments.length) return whole;
    let text = '';
    for (let index = first; index < comments.length; index += 1) {
      const comment = comments[index] as Comment;
      const [from, to] = [Math.max(0, comment.start - start), Math.min(end, comment.end) - start];
      text += whole.slice(text.length, from) + ' '.repeat(Math.max(0, to - from));
    }
    return text + whole.slice(text.length);
  }
}
