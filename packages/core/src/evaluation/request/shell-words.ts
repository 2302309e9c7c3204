/** What a shell would make of a command line, or why it is not read. */
export type ShellWords =
  | { readonly words: readonly string[]; readonly variables: readonly string[]; readonly problem?: undefined }
  | { readonly problem: string };

const mostWords = 1_000;
const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const controls: Readonly<Record<string, string>> = {
  '|': 'a pipe',
  ';': 'a second command',
  '&': 'a second command',
  '<': 'a redirection',
  '>': 'a redirection',
  '`': 'a command substitution',
  '(': 'a subshell',
  ')': 'a subshell',
};

class Unreadable extends Error {}

/**
 * Splits a command line as a POSIX shell does, without running anything: quotes, `$'…'`, escapes and continued lines (those of cmd.exe
 * too). Variables stay as they are written and are named; substitutions, pipes and redirections are refused.
 */
export function splitShellWords(line: string): ShellWords {
  try {
    return new Reader(line.replaceAll('\r\n', '\n')).read();
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    throw error;
  }
}

class Reader {
  readonly #line: string;
  readonly #words: string[] = [];
  readonly #variables = new Set<string>();
  #at = 0;
  #word: string | undefined;

  constructor(line: string) {
    this.#line = line;
  }

  read(): ShellWords {
    while (this.#at < this.#line.length) this.#step(this.#line[this.#at] ?? '');
    this.#endWord();
    return { words: this.#words, variables: [...this.#variables] };
  }

  #step(char: string): void {
    const next = this.#line[this.#at + 1];
    if ((char === '\\' || char === '^') && next === '\n') this.#at += 2;
    else if (/\s/.test(char)) {
      this.#endWord();
      this.#at += 1;
    } else if (char === "'") this.#single();
    else if (char === '"') this.#double();
    else if (char === '$' && next === "'") this.#ansi();
    else if (char === '\\') {
      this.#add(next ?? '');
      this.#at += 2;
    } else if (Object.hasOwn(controls, char)) this.#control(char);
    else if (char === '#' && this.#word === undefined) this.#skipLine();
    else {
      if (char === '$') this.#variable();
      this.#add(char);
      this.#at += 1;
    }
  }

  /** A line break after the last word, or a lone `;` or `&`, ends a command without a second one. */
  #control(char: string): void {
    if ((char === ';' || char === '&') && this.#line.slice(this.#at + 1).trim() === '') this.#at = this.#line.length;
    else throw new Unreadable(`The command holds ${controls[char]} (${char}); only a single curl command is read`);
  }

  #single(): void {
    const end = this.#line.indexOf("'", this.#at + 1);
    if (end === -1) throw new Unreadable(`The single quote at character ${this.#at + 1} is not closed`);
    this.#add(this.#line.slice(this.#at + 1, end));
    this.#at = end + 1;
  }

  #double(): void {
    const start = this.#at;
    this.#add('');
    for (this.#at += 1; this.#line[this.#at] !== '"'; this.#at += 1) {
      const char = this.#line[this.#at];
      if (char === undefined) throw new Unreadable(`The double quote at character ${start + 1} is not closed`);
      const next = this.#line[this.#at + 1] ?? '';
      if (char === '\\' && '"\\$`\n'.includes(next) && next !== '') {
        if (next !== '\n') this.#add(next);
        this.#at += 1;
        continue;
      }
      if (char === '`') this.#control(char);
      if (char === '$') this.#variable();
      this.#add(char);
    }
    this.#at += 1;
  }

  /** `$'…'`, in which backslashes stand for characters. */
  #ansi(): void {
    const start = this.#at;
    this.#add('');
    for (this.#at += 2; this.#line[this.#at] !== "'";) {
      const rest = this.#line.slice(this.#at, this.#at + 10);
      if (rest === '') throw new Unreadable(`The quote $' at character ${start + 1} is not closed`);
      const code = /^\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3}))/.exec(rest);
      if (code !== null) {
        const [whole, hex, short, long, octal] = code;
        const point = octal === undefined ? Number.parseInt(hex ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8);
        if (point > 0x10ffff) throw new Unreadable(`${whole} is no character`);
        this.#add(String.fromCodePoint(point));
        this.#at += whole.length;
      } else if (rest.startsWith('\\')) {
        this.#add(escapes[rest[1] ?? ''] ?? rest[1] ?? '');
        this.#at += 2;
      } else {
        this.#add(rest[0] ?? '');
        this.#at += 1;
      }
    }
    this.#at += 1;
  }

  #variable(): void {
    const rest = this.#line.slice(this.#at + 1, this.#at + 102);
    if (rest.startsWith('(')) throw new Unreadable('The command holds a command substitution ($(…)); it is not run');
    const name = /^\{?([A-Za-z_][A-Za-z0-9_]{0,99})/.exec(rest)?.[1];
    if (name !== undefined) this.#variables.add(name);
  }

  #skipLine(): void {
    const end = this.#line.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#line.length : end;
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  #endWord(): void {
    if (this.#word === undefined) return;
    if (this.#words.length === mostWords) throw new Unreadable(`The command has more than ${mostWords} words`);
    this.#words.push(this.#word);
    this.#word = undefined;
  }
}
