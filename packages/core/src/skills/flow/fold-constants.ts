/*
 * What an expression of constants comes to, as far as it can be told: names that are put together from pieces stand in no
 * line of the source. Anything that is not constant is undefined, and nothing is ever run.
 */

import {
  callFunction,
  callMethod,
  combine,
  functions,
  isList,
  isMap,
  isText,
  itemsOf,
  known,
  methods,
  text,
  type Value,
} from './constant-values.ts';

/** So many steps an expression may take. */
const mostSteps = 2_000;

const end: Token = ['end', ''];

type Token = readonly [kind: 'text' | 'format' | 'number' | 'name' | 'sign' | 'end', text: string];

const token =
  /\s*(?:([fFbBrRuU]{0,2})("""[^]{0,2000}?"""|'''[^]{0,2000}?'''|"(?:[^"\\\n]|\\.){0,2000}"|'(?:[^'\\\n]|\\.){0,2000}'|`(?:[^`\\]|\\.){0,2000}`)|(0[xX][0-9a-fA-F]{1,8}|\d{1,9}(?!\w))|([A-Za-z_$][\w$]*)|(\*\*|=>|==|[^\s]))/y;

function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < source.length && tokens.length < 600) {
    const [, prefix = '', literal, number, name, sign] = token.exec(source) ?? [];
    if (literal !== undefined) {
      const width = literal.startsWith('"""') || literal.startsWith("'''") ? 3 : 1;
      const inner = literal.slice(width, -width);
      const isFormat = /f/i.test(prefix) || literal[0] === '`';
      tokens.push([isFormat ? 'format' : 'text', /r/i.test(prefix) ? inner : unescapeText(inner)]);
    } else if (number !== undefined) tokens.push(['number', number]);
    else if (name !== undefined) tokens.push(['name', name]);
    else if (sign !== undefined) tokens.push(['sign', sign]);
    else break;
  }
  return tokens;
}

const unescapeText = (inner: string): string =>
  inner.replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{4,5})\}?|([0-7]{2,3})|(.))/g,
    (_all, hex: string | undefined, wide: string | undefined, octal: string | undefined, other: string | undefined) => {
      const digits = hex ?? wide;
      if (digits !== undefined) return String.fromCodePoint(Math.min(0x10_ffff, Number.parseInt(digits, 16)));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return other === 'n' ? '\n' : (other ?? '');
    },
  );

export type Lookup = (name: string) => Value | undefined;

/** The value of an expression; undefined where it has none that can be told. */
export function foldExpression(source: string, lookup: Lookup): Value | undefined {
  if (source.length > 4_000) return undefined;
  return new Folder(tokenize(source), lookup).fold();
}

/** What stands before the point is no value. */
const modules = new Set([
  'codecs',
  'base64',
  'binascii',
  'functools',
  'String',
  'Buffer',
  'bytes',
  'bytearray',
  'ft',
  'b64',
]);

class Folder {
  readonly #tokens: readonly Token[];
  readonly #lookup: Lookup;
  #at = 0;
  #steps = 0;

  constructor(tokens: readonly Token[], lookup: Lookup) {
    this.#tokens = tokens;
    this.#lookup = lookup;
  }

  fold(): Value | undefined {
    return this.#sum();
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? end;
  }

  #takes(sign: string): boolean {
    if (this.#peek()[0] !== 'sign' || this.#peek()[1] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #sum(): Value | undefined {
    if ((this.#steps += 1) > mostSteps) return undefined;
    let value = this.#postfix();
    for (;;) {
      const operator = this.#peek()[0] === 'sign' ? this.#peek()[1] : '';
      if (!['+', '-', '*', '^', '%'].includes(operator) || value === undefined) return value;
      this.#at += 1;
      value = combine(operator, value, this.#postfix());
    }
  }

  #postfix(): Value | undefined {
    let value = this.#primary();
    for (;;) {
      if (this.#takes('.')) {
        const name = this.#peek()[1];
        this.#at += 1;
        if (this.#takes('(')) value = callMethod(value, name, this.#arguments(')'));
        else if (value === undefined) value = undefined;
      } else if (this.#takes('[')) value = this.#subscript(value);
      // A text beside a text.
      else if (isText(value) && this.#peek()[0] === 'text') value = combine('+', value, this.#primary());
      else return value;
    }
  }

  #primary(): Value | undefined {
    const [kind, what] = this.#peek();
    this.#at += 1;
    if (kind === 'text') return text(what);
    if (kind === 'format') return this.#format(what);
    if (kind === 'number') return Number(what);
    if (kind === 'name') return this.#named(what);
    if (what === '(') {
      const items = this.#arguments(')');
      return items.length === 1 ? items[0] : known(items);
    }
    if (what === '[') return known(this.#arguments(']'));
    if (what === '{') return this.#map();
    return undefined;
  }

  #named(first: string): Value | undefined {
    let name = first;
    while (
      this.#peek()[1] === '.' &&
      this.#tokens[this.#at + 1]?.[0] === 'name' &&
      (modules.has(name) || !methods.has(this.#tokens[this.#at + 1]?.[1] ?? ''))
    ) {
      name += `.${this.#tokens[this.#at + 1]?.[1] ?? ''}`;
      this.#at += 2;
    }
    const last = name.slice(name.lastIndexOf('.') + 1);
    if (this.#peek()[1] === '(' && functions.has(last)) {
      this.#at += 1;
      return callFunction(last, this.#arguments(')'));
    }
    if (this.#peek()[1] === '(') {
      this.#at += 1;
      this.#arguments(')');
      return this.#lookup(`${last}()`);
    }
    return this.#lookup(name.replace(/^(?:self|this)\./, ''));
  }

  /** What stands between brackets, with comprehensions written out; a part that is not constant is undefined. */
  #arguments(close: string): (Value | undefined)[] {
    const items: (Value | undefined)[] = [];
    while (this.#peek()[0] !== 'end' && !this.#takes(close)) {
      const from = this.#at;
      if (this.#peek()[1] === 'lambda') {
        // Its parameters are no parts.
        this.#skipTo([':']);
        this.#takes(':');
        this.#sum();
        items.push(text('lambda', []));
      } else {
        const value = this.#sum();
        if (this.#peek()[1] === 'for') items.push(...(this.#comprehension(from) ?? [undefined]));
        else items.push(value);
      }
      if (this.#takes(',')) continue;
      if (this.#peek()[0] === 'end' || this.#takes(close)) break;
      // What is not understood is passed over up to the next part.
      items[items.length - 1] = undefined;
      this.#skipTo([',', close]);
      this.#takes(',');
    }
    return items;
  }

  #skipTo(signs: readonly string[]): void {
    let depth = 0;
    while (this.#peek()[0] !== 'end') {
      const [kind, what] = this.#peek();
      if (kind === 'sign' && depth === 0 && signs.includes(what)) return;
      if (kind === 'sign' && '([{'.includes(what)) depth += 1;
      if (kind === 'sign' && ')]}'.includes(what)) depth -= 1;
      if (depth < 0) return;
      this.#at += 1;
    }
  }

  /** `expression for x in list for y in x`: the expression with each name bound in turn. */
  #comprehension(from: number): Value[] | undefined {
    const expression = this.#tokens.slice(from, this.#at);
    const loops: { name: string; list: readonly Token[] }[] = [];
    while (this.#peek()[1] === 'for') {
      const name = this.#tokens[this.#at + 1]?.[1] ?? '';
      this.#at += 3;
      const start = this.#at;
      this.#sum();
      loops.push({ name, list: this.#tokens.slice(start, this.#at) });
    }
    let scopes: ReadonlyMap<string, Value>[] = [new Map()];
    const inner = (tokens: readonly Token[], scope: ReadonlyMap<string, Value>) =>
      new Folder(tokens, (name) => scope.get(name) ?? this.#lookup(name)).fold();
    for (const { name, list } of loops) {
      scopes = scopes.flatMap((scope) => {
        const values = itemsOf(inner(list, scope));
        return values.slice(0, 200).map((value) => new Map([...scope, [name, value]]));
      });
      if (scopes.length > 400) return undefined;
    }
    const values = scopes.map((scope) => inner(expression, scope));
    return values.every((value) => value !== undefined) ? values : undefined;
  }

  #map(): Value | undefined {
    const entries = new Map<string, Value>();
    while (this.#peek()[0] !== 'end' && !this.#takes('}')) {
      const key = this.#peek()[0] === 'name' ? this.#peek()[1] : undefined;
      if (key !== undefined && this.#tokens[this.#at + 1]?.[1] === ':') this.#at += 1;
      const held = key !== undefined && this.#peek()[1] === ':' ? text(key) : this.#sum();
      if (!this.#takes(':')) return undefined;
      const value = this.#sum();
      if (isText(held) && value !== undefined) entries.set(held.text, value);
      if (!this.#takes(',') && this.#peek()[1] !== '}') return undefined;
    }
    return entries;
  }

  #subscript(value: Value | undefined): Value | undefined {
    const from = this.#at;
    this.#skipTo([']']);
    const inner = this.#tokens.slice(from, this.#at);
    this.#takes(']');
    const source = inner.map(([, what]) => what).join('');
    if (source === '::-1')
      return isText(value)
        ? text(Array.from(value.text).toReversed().join(''), value.atoms)
        : isList(value)
          ? value.toReversed()
          : undefined;
    const slice = /^(\d{0,4}):(\d{0,4})$/.exec(source);
    if (slice !== null && isText(value))
      return text(value.text.slice(Number(slice[1] ?? 0), slice[2] === '' ? undefined : Number(slice[2])), value.atoms);
    const key = new Folder(inner, this.#lookup).fold();
    if (isMap(value) && isText(key)) return value.get(key.text);
    if (typeof key === 'number' && isList(value)) return value.at(key);
    if (typeof key === 'number' && isText(value)) return text(value.text.at(key) ?? '', value.atoms);
    return undefined;
  }

  #format(inner: string): Value | undefined {
    let whole = text('', []);
    for (const part of inner.split(/(\$?\{[^{}]{1,80}\})/)) {
      const expression = /^\$?\{([^{}!:]{1,80})(?:![rsa])?(?::[^}]{0,20})?\}$/.exec(part)?.[1];
      const value =
        expression === undefined ? text(part, part === '' ? [] : [part]) : foldExpression(expression, this.#lookup);
      const joined =
        value === undefined ? undefined : combine('+', whole, typeof value === 'number' ? text(String(value)) : value);
      if (!isText(joined)) return undefined;
      whole = joined;
    }
    return whole;
  }
}
