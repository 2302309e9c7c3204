import type { Detection } from '../detection.ts';
import { statementsOf, type CodePiece, type ReadStatement } from './code-piece.ts';
import { isText, type TextValue, type Value } from './constant-values.ts';
import { foldExpression } from './fold-constants.ts';

/** What no honest source puts together from pieces. */
const dangerous =
  /^(?:eval|exec|execfile|compile|system|popen|subprocess|__import__|builtins|__builtins__|os\.system|os\.popen|importlib|marshal|pickle|child_process|execSync|spawnSync|require\(['"]child_process['"]\)|Invoke-Expression|getattr|setattr|globals|fork|pty|socket|ctypes)$|^(?:curl|wget) |\/dev\/tcp\/|\bbash -c\b|\brm -rf\b/;

/** Signs that a text is put together; most statements have none. */
const assembling =
  /\+|join|chr\(|fromCharCode|format|::-1|decode|reduce|\bf["']|`[^`]*\$\{|%\s*\(|concat|reversed|replace|fromhex|atob/;

/** Sources with more statements are bundles. */
const mostStatements = 5_000;

/** Names of what runs code, put together so that no line of the source holds them. */
export function findAssembledNames(piece: CodePiece): readonly Detection[] {
  const { file, text, from, weight } = piece;
  if (!assembling.test(text)) return [];
  const statements = statementsOf(piece).slice(0, mostStatements);
  const values = new Map<string, Value>();
  const found = new Map<number, Detection>();
  // Twice, since functions are defined before what they read, and globals may be written anew.
  for (let pass = 0; pass < 2; pass += 1) {
    let scope = '';
    for (const statement of statements) {
      scope = statement.head?.name ?? scope;
      const assembled = foldStatement(statement, scope, values);
      if (assembled === undefined || found.has(statement.start)) continue;
      const start = from + statement.start + statement.text.length - statement.text.trimStart().length;
      found.set(statement.start, {
        detector: 'assembled-name',
        file,
        start,
        end: Math.min(from + statement.end, start + 160),
        weight,
        trace: [`comes to ${JSON.stringify(assembled.text.slice(0, 60))}`],
      });
    }
  }
  return [...found.values()];
}

function foldStatement(
  { text, bindings }: ReadStatement,
  scope: string,
  values: Map<string, Value>,
): TextValue | undefined {
  const lookup = (name: string): Value | undefined =>
    values.get(name) ?? values.get(name.slice(name.lastIndexOf('.') + 1));
  const folded: Value[] = [];
  for (const { names, value } of bindings) {
    const result = foldExpression(value, lookup);
    if (result === undefined) continue;
    folded.push(result);
    const list = unpacked(result, value, lookup);
    if (names.length > 1 && Array.isArray(list))
      names.forEach((name, index) => list[index] !== undefined && values.set(name, list[index] as Value));
    else if (names[0] !== undefined) values.set(names[0].replace(/^self\./, ''), result);
  }
  const returned = /^\s*return\s+([^]{1,400})$/.exec(text)?.[1];
  const result = returned === undefined ? undefined : foldExpression(returned, lookup);
  if (result !== undefined && scope !== '') values.set(`${scope}()`, result);
  const given = assembling.test(text)
    ? argumentTexts(text).flatMap((argument) => foldExpression(argument, lookup) ?? [])
    : [];
  return [...folded, ...(result === undefined ? [] : [result]), ...given].filter(isText).find(isAssembled);
}

/** `a, b = "ev", "al"` binds each name to its part. */
const unpacked = (result: Value, source: string, lookup: (name: string) => Value | undefined): Value | undefined =>
  Array.isArray(result) ? result : foldExpression(`(${source.split('\n')[0] ?? ''})`, lookup);

const isAssembled = ({ text, atoms }: TextValue): boolean =>
  dangerous.test(text) && !atoms.some((atom) => atom === text || (atom.length > 6 && dangerous.test(atom)));

/** The arguments of the calls and subscripts in a statement, the outermost of each. */
function argumentTexts(text: string): readonly string[] {
  const found: string[] = [];
  for (const { index } of text.matchAll(/[\w)\]]\s{0,2}[([]/g)) {
    const from = text.slice(index + 1).search(/[([]/) + index + 2;
    let depth = 1;
    let at = from;
    while (at < text.length && depth > 0 && at - from < 600) {
      if ('([{'.includes(text[at] as string)) depth += 1;
      if (')]}'.includes(text[at] as string)) depth -= 1;
      at += 1;
    }
    found.push(text.slice(from, at - 1));
    if (found.length === 12) break;
  }
  return found;
}
