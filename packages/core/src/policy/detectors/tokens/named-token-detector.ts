import type { PatternDetector } from '../detector.ts';
import { entropyOf, isFiller, isRandom } from './randomness.ts';
import { namedTokens } from './named-tokens.ts';
import type { NamedTokenRow } from './token-row.ts';
import { partsOfShape, sourceOfShape } from './token-shape.ts';

/** Names of so many rows stand in one pattern: the automaton looks for so many texts on its behalf. */
const rowsOfPattern = 40;

/** What stands between a name and its value: the rest of the name, quotes, a sign that assigns, or the bracket of a call. */
const rest = '[\\w.-]{0,24}(?: (?:api|access|client|app|secret|auth|token|key)){0,2}';
export const assigns = '["\'`\\])]{0,2}\\s{0,3}(?:=>|:=|\\|\\||[:=,>(]|\\s)\\s{0,3}(?:bearer |token )?["\'`(]{0,2}';
const value = '[\\w+/.=:~|@-]{14,400}';

/** A sign between the words of a name may be another one, or be left out; at its end it may not. */
const sourceOfName = (name: string): string => name.replaceAll(/[ _.-](?=.)/g, '[ _-]?').replace(/_$/, '[ _.-]');
const keyOfName = (name: string): string => name.toLowerCase().replaceAll(/[ _.-]/g, '');

/** A name that is shorter must not be the end of a longer word. */
const shortName = 6;

interface Shape {
  readonly whole: RegExp;
  /** Letters, digits and lines in any order: other things look the same. */
  readonly isPlain: boolean;
}

const shapeOf = (shape: string): Shape => ({
  whole: new RegExp(`^${sourceOfShape(shape)}$`, 'i'),
  isPlain: partsOfShape(shape).every((part) => typeof part === 'object' || /^[-]?$/.test(part)),
});

const shapesOfName: ReadonlyMap<string, readonly Shape[]> = new Map(
  namedTokens.flatMap(({ names, shapes }) => {
    const known = shapes.map(shapeOf);
    return names.map((name) => [keyOfName(name), known] as const);
  }),
);

/** Words that say that a value is to be kept. */
const secretWords =
  /key|token|secret|auth|pass|pwd|cred|access|bearer|private|sign|webhook|licen[cs]e|dsn|\bpat\b|_pat\b|api/i;
/** Words that say that it is something else. */
const otherWords =
  /(?:sha\d{0,3}|md5|hash|commit|digest|checksum|etag|rev(?:ision)?|version|uuid|guid|[_ .-]id|ids?|ur[il]|name|path|file|image|class|style|public[_ .-]?key|site[_ .-]?key|endpoint|host|sum|integrity|ref|branch|tag)["'` ]*$/i;

const hexadecimal = /^[0-9a-f-]+$/i;
const leastBitsOfHex = 2.7;

function sourceOf(rows: readonly NamedTokenRow[]): string {
  const names = rows.flatMap((row) => row.names.map(sourceOfName));
  return `(?:${names.join('|')})${rest}${assigns}${value}`;
}

const batches = Array.from({ length: Math.ceil(namedTokens.length / rowsOfPattern) }, (_, index) =>
  namedTokens.slice(index * rowsOfPattern, (index + 1) * rowsOfPattern),
);
const patterns = batches.map(sourceOf);
const parts = batches.map((rows) => {
  const names = rows.flatMap((row) => row.names.map(sourceOfName));
  return new RegExp(`^(${names.join('|')})(${rest})(${assigns})(${value})$`, 'i');
});

function confidenceOf(name: string, tail: string, sign: string, text: string): number | undefined {
  const shapes = shapesOfName.get(keyOfName(name));
  // What ends a sentence may have come along.
  const token =
    [text, text.replace(/(?<![.:~|@=-])[.:~|@=-]+$/, '')].find((end) => shapes?.some(({ whole }) => whole.test(end))) ??
    '';
  const shape = shapes?.find(({ whole }) => whole.test(token));
  if (shape === undefined || isFiller(token) || otherWords.test(tail)) return undefined;
  const isNamed = secretWords.test(name) || secretWords.test(tail);
  // The name itself has been given the value, as in a line of settings.
  const isAlone = tail === '' && (sign.includes('=') || (sign.includes(':') && token.length !== commitLength));
  if (!shape.isPlain) return isNamed ? 0.95 : 0.85;
  if (hexadecimal.test(token))
    return (isNamed || isAlone) && entropyOf(token) >= leastBitsOfHex ? (isNamed ? 0.85 : 0.6) : undefined;
  if (isNamed) return isRandom(token, 1) ? 0.85 : undefined;
  return isRandom(token) ? 0.7 : undefined;
}

/** Of the names of commits, which stand behind names of forges and libraries. */
const commitLength = 40;

/** Tokens that are letters and digits like others, behind the name of the service that issues them. */
export const namedToken: PatternDetector = {
  kind: 'pattern',
  name: 'named-token',
  type: 'SERVICE_TOKEN',
  description: 'Tokens of services, in the shape that each of them has, behind its name',
  patterns: patterns.map((regex) => ({ regex, flags: 'i' as const })),
  validate(match, before) {
    for (const part of parts) {
      const [, name, tail, sign, text] = part.exec(match) ?? [];
      if (name === undefined || tail === undefined || sign === undefined || text === undefined) continue;
      if (name.length < shortName && /[A-Za-z]$/.test(before)) continue;
      const confidence = confidenceOf(name, tail, sign, text);
      if (confidence !== undefined) return confidence;
    }
    return undefined;
  },
};
