import { findPatterns } from '../patterns/find-patterns.ts';

/** A query within a transaction that goes past its handle. */
export interface OutsideQuery {
  readonly line: number;
  /** What it goes through, as it is written. */
  readonly handle: string;
}

const begins = /((?:this\.)?#?[A-Za-z_$][\w$]*(?:\.#?[\w$]+)*?)(?:\.kysely)?\s*\.transaction\(\)/g;
/** These run what they are given in a transaction of what they are given first. */
const runs =
  /\b(?:readConsistent|changeConfig|audited)\(\s*(?:\{\s*)?((?:this\.)?#?[A-Za-z_$][\w$]*(?:\.#?[\w$]+)*)(?:\s*\})?/g;
/** So do those that hand the handle over by one of its usual names. */
const mayRun =
  /\b(?!readConsistent|changeConfig|audited)[a-z]\w*\(\s*(?:\{\s*)?((?:[\w$.#]+\.#?)?(?:database|kysely))(?:\s*\})?,(?=[^;]*?\b(?:transaction|moment)\)? =>)/g;

/**
 * Finds what would wait for the transaction that it is part of on the embedded database, which has a single session: within
 * what runs in a transaction, uses of the database that it was begun on. On a server these are merely no part of it.
 */
export function findOutsideQueries(source: string): readonly OutsideQuery[] {
  const code = withoutTexts(source);
  const strangers: OutsideQuery[] = [];
  const look = (database: string, from: number): void => {
    const work = code.slice(from, endOfCall(code, from));
    if (isParameter(database, work)) return;
    const use = new RegExp(String.raw`(?<![\w$.#])${RegExp.escape(database)}(?![\w$]|\s*:)`, 'g');
    for (const { index } of work.matchAll(use))
      strangers.push({ line: code.slice(0, from + index).split('\n').length, handle: database });
  };
  for (const found of code.matchAll(begins)) {
    const from = code.indexOf('.execute(', found.index + found[0].length);
    if (from !== -1) look(found[1] as string, from + '.execute('.length);
  }
  for (const found of code.matchAll(runs)) look(found[1] as string, found.index + found[0].length);
  for (const found of code.matchAll(mayRun)) look(found[1] as string, found.index + found[0].length);
  return strangers;
}

/** The function that runs in the transaction may call its handle as the database was called outside. */
const isParameter = (name: string, work: string): boolean =>
  /^[^=]*?\(([^()]*)\)\s*=>/
    .exec(work)?.[1]
    ?.split(/[^\w$]+/)
    .includes(name) === true;

/** Where the brackets close that are open at a place. */
function endOfCall(code: string, from: number): number {
  let depth = 1;
  for (let at = from; at < code.length; at += 1) {
    if ('([{'.includes(code[at] as string)) depth += 1;
    else if (')]}'.includes(code[at] as string)) depth -= 1;
    if (depth === 0) return at;
  }
  return code.length;
}

const text = /\/\/.*|\/\*[^]*?\*\/|'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"/y;

/** The same with blanks for comments, texts and patterns, so that brackets are those of the code; values in templates stay. */
function withoutTexts(source: string): string {
  const code = findPatterns(source).reduce(
    (rest, { source: pattern, flags }) => rest.replaceAll(`/${pattern}/${flags}`, blank),
    source,
  );
  let kept = '';
  /** Brackets that are open; a template goes on where the one of its value closes. */
  const open: ('{' | '${' | '`')[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const sign = code[at] as string;
    const isTemplate = open.at(-1) === '`';
    text.lastIndex = at;
    const skipped = isTemplate ? undefined : text.exec(code)?.[0];
    if (skipped !== undefined) {
      kept += blank(skipped);
      at += skipped.length - 1;
    } else if (isTemplate && sign === '\\') {
      kept += '  ';
      at += 1;
    } else if (isTemplate && code.startsWith('${', at)) {
      open.push('${');
      kept += ' {';
      at += 1;
    } else if (sign === '`') {
      if (isTemplate) open.pop();
      else open.push('`');
      kept += ' ';
    } else {
      if (!isTemplate && sign === '{') open.push('{');
      if (!isTemplate && sign === '}') open.pop();
      kept += isTemplate ? blank(sign) : sign;
    }
  }
  return kept;
}

const blank = (skipped: string): string => skipped.replaceAll(/[^\n]/g, ' ');
