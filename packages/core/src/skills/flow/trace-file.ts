import type { Detection } from '../detection.ts';
import type { Statement } from '../reading/read-code.ts';
import { lineOfFile } from '../reading/line-of-file.ts';
import { statementsOf, type CodePiece, type ReadStatement } from './code-piece.ts';
import { argumentsOf, readNames } from './read-statement.ts';
import { codeSink, commandSink, harmlessCalls, kind, networkSink, sources, type Source } from './value-kinds.ts';

/** What functions of a package do with values: shared between files that import each other. */
export interface FunctionSummary {
  readonly file: string;
  readonly parameters: readonly string[];
  returns: Taint;
  /** By parameter: what callers hand in. */
  readonly given: Map<string, Taint>;
}

/** What a value is made of, and where the parts come from. */
export interface Taint {
  readonly bits: number;
  readonly trace: readonly string[];
}

export const clean: Taint = { bits: 0, trace: [] };

/** A trace holds so many steps: enough to follow it. */
const longestTrace = 6;
/** So often the statements are gone through: values reach functions that stand before their callers. */
const mostPasses = 4;

const join = (one: Taint, other: Taint): Taint =>
  (one.bits | other.bits) === one.bits
    ? one
    : { bits: one.bits | other.bits, trace: [...new Set([...one.trace, ...other.trace])].slice(0, longestTrace) };

/** What an expression says by itself, before it is known what its names stand for. */
interface Expression {
  /** Without the calls whose answer tells nothing. */
  readonly text: string;
  readonly sources: readonly Source[];
  readonly names: readonly string[];
}

function readExpression(expression: string): Expression {
  const text = expression.replaceAll(harmlessCalls, ' ');
  return { text, sources: sources.filter(({ looks }) => looks.test(text)), names: [...new Set(readNames(text))] };
}

interface Step {
  readonly statement: ReadStatement;
  /** All that the statement reads. */
  readonly names: readonly string[];
  /** The function it stands in, `''` outside of all. */
  readonly scope: string;
  /** What it hands to the network, without headers; undefined where it sends nothing. */
  readonly sent: string | undefined;
  /** What it makes code or a command of. */
  readonly run: { readonly text: string; readonly isCode: boolean } | undefined;
  readonly writes: boolean;
}

/** To authenticate with what a service gave out is what stores of credentials are for: headers are left out. */
function readSent(text: string): string | undefined {
  const sent = networkSink.exec(text);
  return sent === null ? undefined : withoutHeaders(text.slice(sent.index + sent[0].length));
}

function readRun(text: string): Step['run'] {
  const evaluated = codeSink.exec(text);
  const found = evaluated ?? commandSink.exec(text);
  if (found === null) return undefined;
  return { text: text.slice(found.index + found[0].length), isCode: evaluated !== null };
}

const writing = /\burlretrieve\(|\bwriteFile|\bopen\(|\.write\(/;

/**
 * Follows values from statement to statement, in the order in which they stand and as often as anything changes: bindings,
 * loops, calls of functions and what they return. Branches are not told apart, so what may flow is taken to.
 */
export class FileTracer {
  readonly piece: CodePiece;
  readonly summaries = new Map<string, FunctionSummary>();
  readonly #steps: Step[] = [];
  readonly #values = new Map<string, Taint>();
  readonly #handles = new Map<string, string>();
  readonly #detections = new Map<string, Detection>();
  readonly #imported: (name: string) => FunctionSummary | undefined;
  /** Statements are gone through several times, and their expressions say the same each time. */
  readonly #expressions = new Map<string, Expression>();
  #changed = false;

  constructor(piece: CodePiece, imported: (name: string) => FunctionSummary | undefined) {
    this.piece = piece;
    this.#imported = imported;
    this.#prepare(statementsOf(piece));
  }

  get detections(): readonly Detection[] {
    return [...this.#detections.values()];
  }

  /** Goes through the statements until nothing changes; answers whether anything did. */
  run(): boolean {
    let any = false;
    for (let pass = 0; pass < mostPasses; pass += 1) {
      this.#changed = false;
      for (const step of this.#steps) this.#take(step);
      any ||= this.#changed;
      if (!this.#changed) break;
    }
    return any;
  }

  #prepare(statements: readonly ReadStatement[]): void {
    const open: { name: string; indent: number }[] = [];
    for (const statement of statements) {
      while (open.length > 0 && statement.indent <= (open.at(-1)?.indent ?? 0)) open.pop();
      const { head } = statement;
      if (head !== undefined) {
        open.push({ name: head.name, indent: statement.indent });
        this.summaries.set(head.name, {
          file: this.piece.file.path,
          parameters: head.parameters,
          returns: clean,
          given: new Map(),
        });
      }
      const { text } = statement;
      const names = [...new Set(readNames(text))];
      const isHeadAlone = head !== undefined && !/[{;]\s*\S/.test(text);
      this.#steps.push({
        statement,
        names,
        scope: open.at(-1)?.name ?? '',
        sent: isHeadAlone ? undefined : readSent(text),
        run: isHeadAlone ? undefined : readRun(text),
        writes: writing.test(text),
      });
    }
  }

  #take(step: Step): void {
    const { statement, scope } = step;
    const { text } = statement;
    for (const { names, value } of statement.bindings) {
      const taint = this.#taintOf(value, scope, statement);
      for (const name of names) this.#bind(name, scope, isForHeaders.test(name) ? withoutEncoded(taint) : taint);
    }
    if (step.writes) this.#noteWrittenFile(text, scope, statement);
    const returned = /^\s*(?:return|yield)\b([^]*)$/.exec(text)?.[1];
    const summary = this.summaries.get(scope);
    if (returned !== undefined && summary !== undefined) {
      const returns = join(summary.returns, this.#taintOf(returned, scope, statement));
      if (returns !== summary.returns) this.#changed = true;
      summary.returns = returns;
    }
    this.#passArguments(step);
    this.#checkSinks(step);
  }

  #key = (name: string, scope: string): string =>
    name.startsWith('self.') || name === name.toUpperCase() ? name : `${scope}:${name}`;

  #bind(name: string, scope: string, taint: Taint): void {
    const key = this.#key(name, scope);
    if (taint.bits === 0) return;
    const known = this.#values.get(key) ?? clean;
    const joined = join(known, taint);
    if (joined === known) return;
    this.#values.set(key, joined);
    this.#changed = true;
  }

  #valueOf(name: string, scope: string): Taint {
    const root = name.startsWith('self.') ? name.split('.', 2).join('.') : (name.split('.', 1)[0] ?? name);
    return (
      this.#values.get(this.#key(name, scope)) ??
      this.#values.get(this.#key(root, scope)) ??
      this.#values.get(`:${root}`) ??
      this.#values.get(this.#key(lastName(name), '')) ??
      this.summaries.get(scope)?.given.get(root) ??
      clean
    );
  }

  #taintOf(expression: string, scope: string, statement: Statement): Taint {
    const { text, sources, names } = this.#read(expression);
    let taint = clean;
    for (const { bit, name } of sources) {
      if ((taint.bits & bit) === 0)
        taint = join(taint, { bits: bit, trace: [`line ${this.#lineOf(statement)}: ${name}`] });
    }
    for (const name of names) {
      const value = this.#valueOf(name, scope);
      if (value.bits !== 0) taint = join(taint, { bits: value.bits, trace: [...value.trace, name] });
      const called = this.#summaryOf(name);
      if (
        called !== undefined &&
        called.returns.bits !== 0 &&
        new RegExp(`(?:^|[^\\w$])${RegExp.escape(name)}\\s{0,2}\\(|^\\s*${RegExp.escape(name)}\\b`).test(text)
      )
        taint = join(taint, { bits: called.returns.bits, trace: [...called.returns.trace, `${lastName(name)}()`] });
    }
    return taint;
  }

  #read(expression: string): Expression {
    let known = this.#expressions.get(expression);
    if (known === undefined) this.#expressions.set(expression, (known = readExpression(expression)));
    return known;
  }

  #summaryOf(name: string): FunctionSummary | undefined {
    const last = lastName(name);
    return this.summaries.get(last) ?? this.#imported(last);
  }

  #passArguments({ statement, scope, names }: Step): void {
    const { text } = statement;
    if (statement.head !== undefined) return;
    for (const name of names) {
      const summary = this.#summaryOf(name);
      if (summary === undefined || summary.parameters.length === 0) continue;
      const parameters = summary.parameters.filter((parameter) => parameter !== 'self' && parameter !== 'this');
      for (const [index, argument] of (argumentsOf(text, lastName(name)) ?? []).entries()) {
        const named = /^\s*(\w+)\s*=(?!=)/.exec(argument)?.[1];
        const parameter = named !== undefined && parameters.includes(named) ? named : parameters[index];
        const taint = this.#taintOf(argument, scope, statement);
        if (parameter === undefined || taint.bits === 0) continue;
        const known = summary.given.get(parameter) ?? clean;
        const joined = join(known, taint);
        if (joined === known) continue;
        summary.given.set(parameter, joined);
        this.#changed = true;
      }
    }
  }

  /** A file that is written with what was fetched is fetched itself. */
  #noteWrittenFile(text: string, scope: string, statement: Statement): void {
    const fetched = { bits: kind.fetchedFile, trace: [`line ${this.#lineOf(statement)}: a fetched file`] };
    const target =
      /\burlretrieve\(\s*[^,\s][^,]{0,199},\s*([\w$.]+)/.exec(text)?.[1] ??
      /\bwriteFile(?:Sync)?\(\s*([\w$.]+)\s*,\s*([^]{1,200})/.exec(text)?.[1] ??
      /\bopen\(\s*([\w$.]+)\s*,\s*['"]wb?\+?['"]\s*\)\.write\(/.exec(text)?.[1];
    if (target !== undefined && (this.#taintOf(text, scope, statement).bits & kind.fetched) !== 0)
      this.#bind(target, scope, fetched);
    const handle = /\bwith\s+open\(\s*([\w$.]+)\s*,\s*['"]wb?\+?['"][^]{0,80}\bas\s+(\w+)/.exec(text);
    if (handle !== null) this.#handles.set(`${scope}:${handle[2] ?? ''}`, handle[1] ?? '');
    const written = /^\s*(\w+)\.write\(([^]*)$/.exec(text);
    const path = written === null ? undefined : this.#handles.get(`${scope}:${written[1] ?? ''}`);
    if (path !== undefined && (this.#taintOf(written?.[2] ?? '', scope, statement).bits & kind.fetched) !== 0)
      this.#bind(path, scope, fetched);
  }

  #checkSinks({ statement, scope, sent, run }: Step): void {
    if (sent !== undefined) {
      const taint = this.#taintOf(sent, scope, statement);
      const detector =
        (taint.bits & (kind.secret | kind.encodedSecret)) !== 0
          ? 'secret-to-network'
          : (taint.bits & kind.environment) !== 0
            ? 'environment-to-network'
            : (taint.bits & kind.host) !== 0
              ? 'private-to-network'
              : undefined;
      if (detector !== undefined) this.#report(detector, statement, taint, 'sent over the network');
    }
    if (run === undefined) return;
    const taint = this.#taintOf(run.text, scope, statement);
    if ((taint.bits & kind.decoded) !== 0) this.#report('decoded-to-execution', statement, taint, 'run');
    else if (run.isCode && (taint.bits & kind.fetched) !== 0)
      this.#report('fetched-to-execution', statement, taint, 'run');
    else if ((taint.bits & kind.fetchedFile) !== 0)
      this.#report('fetched-to-file-to-execution', statement, taint, 'run');
  }

  #report(detector: Detection['detector'], { start, end, text }: Statement, { trace }: Taint, what: string): void {
    const lead = text.length - text.trimStart().length;
    this.#detections.set(`${detector} ${start}`, {
      detector,
      file: this.piece.file,
      start: this.piece.from + start + lead,
      end: this.piece.from + Math.min(end, start + lead + 160),
      weight: this.piece.weight,
      trace: [...trace, what],
    });
  }

  #lineOf({ start, text }: Statement): number {
    const at = this.piece.from + start + (text.length - text.trimStart().length);
    return lineOfFile(this.piece.file, at);
  }
}

/** Basic authentication encodes a key and sends it in a header: that is what it is for. */
const isForHeaders = /head|auth|basic/i;
const headerArgument =
  /\b(?:headers|auth)\s{0,3}[=:]\s{0,3}(?:new Headers\()?[\w.]{0,60}|\s-(?:H|u)\s{1,2}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}')/g;

/** The arguments of a call without its headers. */
function withoutHeaders(text: string): string {
  let kept = '';
  let from = 0;
  for (const { index, 0: found } of text.matchAll(headerArgument)) {
    if (index < from) continue;
    kept += `${text.slice(from, index)} `;
    from = index + found.length;
    if (text[from] === '{') from = closingOf(text, from);
  }
  return kept + text.slice(from);
}

/** Behind the brace that closes the one at a place. */
function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}' && (depth -= 1) === 0) return at + 1;
  }
  return text.length;
}

const withoutEncoded = (taint: Taint): Taint => ({ ...taint, bits: taint.bits & ~kind.encodedSecret });

const lastName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
