/*
 * What a statement does with names, told by its looks: which it binds, which it reads, what it calls. One reader serves all
 * languages, since what matters here is written alike in them; sources with mistakes are read as far as they go.
 */

export interface Binding {
  /** Names that are bound, with the ones of attributes as `self.name`. */
  readonly names: readonly string[];
  /** The text of what they are bound to. */
  readonly value: string;
}

export interface FunctionHead {
  readonly name: string;
  readonly parameters: readonly string[];
}

const keywords = new Set(
  'const let var my local export readonly declare typeset static public private protected async await final if elif else for while in of return and or not is None null undefined true false True False self this new lambda def function print import from as with try except catch'.split(
    ' ',
  ),
);

const heads: readonly RegExp[] = [
  /^\s*(?:async\s+)?def\s+([\w.?!]+)\s*\(?([^]{0,800}?)(?:\)|$|:)/,
  /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*(?:\*\s*)?([\w$:-]+)(?![\w$:-])(?:\s*\()?([^]{0,800}?)(?:\)|\{|$)/,
  /^\s*(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s*)?(?:\(|(?=[\w$={}:.]))([\w$\s,={}:.]{0,400}?)(?:\)\s*)?=>/,
  /^\s*(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s*)?function\s*(?:\w+\s*)?\(([^)]{0,400})\)/,
  /^\s*func\s+(?:\([^)]{0,80}\)\s*)?(\w+)\s*\(([^]{0,400}?)\)/,
  /^\s*(?:(?:public|private|protected|static|async)\s+){0,3}([\w$]{2,60})\s*\(([^()]{0,400})\)\s*\{\s*$/,
  /^\s*([\w-]{2,60})\s*\(\)\s*(?:\{\s*)?()$/,
];

const notFunctions = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'return', 'function', 'else']);

/** The head of a function with a name; undefined for other statements. */
export function functionHead(text: string): FunctionHead | undefined {
  for (const looks of heads) {
    const [, name, list] = looks.exec(text) ?? [];
    if (name === undefined || notFunctions.has(name)) continue;
    return {
      name,
      parameters: (list ?? '').split(',').flatMap((part) => /[\w$]+/.exec(part.replace(/^\s*[*&]*/, ''))?.[0] ?? []),
    };
  }
  return undefined;
}

const grows =
  /([\w$][\w$.]{0,80})(?:\[[^\]\n]{1,80}\])?\.(?:append|push|extend|update|add|unshift|insert|write|writelines|concat|set|setdefault)\s*\(([^]*)$/;
const loop =
  /^\s*(?:async\s+)?for(?:each)?\s*(?:await\s*)?(?:\(\s*)?(?:(?:const|let|var|my)\s*)?([\w$,()[\]{}][\w$,\s()[\]{}]{0,119}?)(?<!\s)\s+(?:in|of)\s+([^]*)$/;
const opened = /\bwith\s+(\S[^]{0,399}?)(?<!\s)\s+as\s+([\w$]+)/;

/** What a statement binds, in the order in which it does. */
export function bindingsOf(text: string): readonly Binding[] {
  const found: Binding[] = [];
  const looped = loop.exec(text);
  if (looped !== null) found.push({ names: namesIn(looped[1] ?? ''), value: looped[2] ?? '' });
  const held = opened.exec(text);
  if (held !== null) found.push({ names: [held[2] ?? ''], value: held[1] ?? '' });
  const at = assignmentAt(text);
  if (at > 0 && looped === null) {
    const left = text.slice(0, at).replace(/(?<![-+*|&?:.])[-+*|&?:.]+\s*$/, '');
    // An annotation of the type is no name.
    const bare = left.replace(/^(\s*[\w$.]+)\s*:\s*[^]*$/, '$1');
    found.push({ names: namesIn(bare), value: text.slice(at + 1) });
  }
  const grown = text.includes('(') ? grows.exec(text) : null;
  if (grown !== null) found.push({ names: [grown[1] ?? ''], value: grown[2] ?? '' });
  // What a callback is given comes from what it was handed to.
  for (const at of arrowsIn(text)) {
    const list = /\(?([\w$,\s{}]{1,80})\)?\s{0,4}$/.exec(text.slice(Math.max(0, at - 90), at));
    if (list !== null) found.push({ names: namesIn(list[1] ?? ''), value: text.slice(0, at - list[0].length) });
  }
  return found;
}

/** Where callbacks begin, the first few. */
function arrowsIn(text: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf('=>'); at > 0 && found.length < 8; at = text.indexOf('=>', at + 2)) found.push(at);
  return found;
}

const namesIn = (text: string): readonly string[] =>
  (text.match(/\$?[A-Za-z_][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g) ?? [])
    .map((name) => name.replace(/^\$(?:env:)?/, '').replace(/^(?:self|this)\./, 'self.'))
    .filter((name) => !keywords.has(name));

/** Where the first `=` stands that binds; -1 where none does. */
function assignmentAt(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length && at < 600; at += 1) {
    const char = text[at] as string;
    if (char === '"' || char === "'" || char === '`') {
      const end = text.indexOf(char, at + 1);
      if (end < 0) return -1;
      at = end;
    } else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    else if (char === '=' && depth <= 0) {
      if (text[at + 1] === '=' || text[at + 1] === '>' || text[at + 1] === '~') return -1;
      if (/[=!<>]/.test(text[at - 1] ?? '')) return -1;
      return at;
    }
  }
  return -1;
}

const plainString = /(?<![fFrR\w$\\])(?:"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/g;

/** Names that an expression reads: those outside of strings, and those that strings insert. */
export function readNames(text: string): readonly string[] {
  const bare = text.replaceAll(plainString, (literal) => insertedIn(literal));
  return namesIn(bare.replaceAll(/\$\{(\w+)(?!\w)[^}]{0,80}\}/g, ' $1 '));
}

/** What a shell or PHP puts into a text between double quotation marks. */
function insertedIn(literal: string): string {
  if (literal[0] !== '"' || !literal.includes('$')) return ' ';
  return (literal.match(/\$\{?\(?[A-Za-z_]\w*/g) ?? []).map((name) => ` ${name.replaceAll(/[${(]/g, '')} `).join('');
}

/** Arguments of the calls of a function in an expression. */
export function argumentsOf(text: string, name: string): readonly string[] | undefined {
  const at = text.search(new RegExp(`(?:^|[^\\w$])${RegExp.escape(name)}\\s{0,2}\\(`));
  if (at < 0) return undefined;
  const parts: string[] = [];
  let depth = 0;
  let from = text.indexOf('(', at) + 1;
  for (let place = from - 1; place < text.length; place += 1) {
    const char = text[place] as string;
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    if (depth === 0 || (depth === 1 && char === ',')) {
      parts.push(text.slice(from, place));
      from = place + 1;
      if (depth === 0) break;
    }
  }
  return parts;
}
