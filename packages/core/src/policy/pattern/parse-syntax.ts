import { RegExpParser, type AST } from '@eslint-community/regexpp';
import {
  allChars,
  charSet,
  addCaseVariants,
  complement,
  surrogates,
  union,
  wordChars,
  type CharSet,
} from './char-set.ts';
import type { CharSyntax, EdgeSyntax, Syntax } from './syntax.ts';

/** Thrown for constructs that no engine here runs safely. The message is a sentence for the author. */
export class UnsupportedSyntax extends Error {}

/** Flags in force at one place of the pattern; modifiers such as `(?i:` change them inside a group. */
interface Scope {
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
  readonly multiline: boolean;
  readonly unicode: boolean;
  /** Inside a lookbehind, which engines read backwards. */
  readonly behind: boolean;
}

const parser = new RegExpParser({ ecmaVersion: 2025 });
const lastPoint = 0x10_ffff;
const firstAstral = 0x1_0000;

/**
 * Parses a pattern without giving it to the engine. The parser is that of ESLint: it follows the grammar
 * of ECMAScript edition by edition, Annex B included, so what is analysed is what runs.
 * @throws {SyntaxError} when it is not a regular expression
 */
export const parseRegex = (source: string, flags: string): AST.Pattern =>
  parser.parsePattern(source, 0, source.length, { unicode: flags.includes('u'), unicodeSets: false });

/** Reduces a parsed pattern to what analysis needs. Throws `UnsupportedSyntax`. */
export function toSyntax({ alternatives }: AST.Pattern, flags: string): Syntax {
  return choice(alternatives, {
    ignoreCase: flags.includes('i'),
    dotAll: flags.includes('s'),
    multiline: flags.includes('m'),
    unicode: flags.includes('u'),
    behind: false,
  });
}

/** What stands behind the lookbehind that a pattern begins with; undefined when it begins with none. */
export function stripLookbehind(source: string, flags: string): string | undefined {
  const { alternatives } = parseRegex(source, flags);
  const [first] = alternatives[0]?.elements ?? [];
  const isOne = alternatives.length === 1 && first?.type === 'Assertion' && first.kind === 'lookbehind';
  return isOne ? source.slice(first.end) : undefined;
}

const choice = (alternatives: readonly AST.Alternative[], scope: Scope): Syntax => ({
  kind: 'choice',
  branches: alternatives.map((alternative) => ({
    kind: 'sequence',
    items: alternative.elements.map((element) => convert(element, scope)),
  })),
});

function convert(node: AST.Element, scope: Scope): Syntax {
  switch (node.type) {
    case 'Character':
    case 'CharacterClass':
    case 'CharacterSet':
      return char(node, scope);
    case 'Group':
      return choice(node.alternatives, modifiedScope(node.modifiers, scope));
    case 'CapturingGroup':
      return choice(node.alternatives, scope);
    case 'Quantifier':
      return {
        kind: 'repeat',
        body: convert(node.element, scope),
        min: node.min,
        max: node.max,
        greedy: node.greedy,
      };
    case 'Assertion':
      if (node.kind === 'lookahead' || node.kind === 'lookbehind') {
        if (scope.behind) throw new UnsupportedSyntax('must not put a lookaround into a lookbehind');
        const behind = node.kind === 'lookbehind';
        return { kind: 'look', body: choice(node.alternatives, { ...scope, behind }), behind, negated: node.negate };
      }
      return edge(node, scope);
    case 'Backreference':
      throw new UnsupportedSyntax('must not use a backreference: it cannot be matched in bounded time');
    case 'ExpressionCharacterClass':
      throw new UnsupportedSyntax('must not use set operations in a class');
  }
}

function modifiedScope(modifiers: AST.Modifiers | null, scope: Scope): Scope {
  if (modifiers === null) return scope;
  const { add, remove } = modifiers;
  const holds = (flag: 'ignoreCase' | 'dotAll' | 'multiline') => (scope[flag] || add[flag]) && remove?.[flag] !== true;
  return { ...scope, ignoreCase: holds('ignoreCase'), dotAll: holds('dotAll'), multiline: holds('multiline') };
}

function edge(node: AST.BoundaryAssertion, scope: Scope): EdgeSyntax {
  if (node.kind === 'word') return { kind: 'edge', edge: node.negate ? 'not-word' : 'word' };
  return { kind: 'edge', edge: `${scope.multiline ? 'line' : 'text'}-${node.kind}` };
}

type Points = readonly (readonly [number, number])[];

/** Sets that have been worked out, by flags and text: a pattern writes the same few again and again. */
const knownChars = new Map<string, CharSyntax>();
const maxKnownChars = 10_000;

function char(node: AST.Character | AST.CharacterClass | AST.CharacterSet, scope: Scope): CharSyntax {
  const flags = `${scope.ignoreCase ? 'i' : ''}${scope.dotAll ? 's' : ''}${scope.unicode ? 'u' : ''}`;
  const key = `${flags} ${node.raw}`;
  let syntax = knownChars.get(key);
  if (syntax !== undefined) return syntax;
  const { units, points } = members(node, scope);
  const set = scope.ignoreCase && node.type !== 'CharacterClass' ? addCaseVariants(units, scope.unicode) : units;
  syntax = { kind: 'char', set, astral: scope.unicode ? points : [] };
  if (knownChars.size < maxKnownChars) knownChars.set(key, syntax);
  return syntax;
}

interface Members {
  readonly units: CharSet;
  /** Code points beyond the basic plane. */
  readonly points: Points;
}

const allPoints: Points = [[firstAstral, lastPoint]];

type Member = AST.CharacterClassElement | AST.CharacterClass | AST.CharacterSet | AST.Character;

function members(node: Member, scope: Scope): Members {
  switch (node.type) {
    case 'Character':
      return range(node.value, node.value);
    case 'CharacterClassRange':
      return range(node.min.value, node.max.value);
    case 'CharacterSet':
      return characterSet(node, scope);
    case 'CharacterClass': {
      const parts = node.elements.map((element) => members(element, scope));
      const units = union(...parts.map((part) => part.units));
      const points = parts.flatMap((part) => part.points);
      const closed = scope.ignoreCase ? addCaseVariants(units, scope.unicode) : units;
      if (!node.negate) return { units: closed, points };
      // A class that leaves out single characters beyond the basic plane is taken to leave out none.
      return { units: complement(closed), points: allPoints };
    }
    case 'ClassStringDisjunction':
    case 'ExpressionCharacterClass':
      throw new UnsupportedSyntax('must not use set operations in a class');
  }
}

function range(first: number, last: number): Members {
  const units: CharSet = first < firstAstral ? [[first, Math.min(last, firstAstral - 1)]] : [];
  const points: Points = last >= firstAstral ? [[Math.max(first, firstAstral), last]] : [];
  return { units, points };
}

const digits = charSet([[0x30, 0x39]]);
const lineEnds = unitsMatching('\\n\\r\\u2028\\u2029');
const spaces = unitsMatching('\\s');

/** The units of a class, asked of the engine itself. */
function unitsMatching(members: string): CharSet {
  const expression = new RegExp(`[${members}]`);
  const units = Array.from({ length: firstAstral }, (_, unit) => unit);
  return charSet(units.filter((unit) => expression.test(String.fromCharCode(unit))).map((unit) => [unit, unit]));
}

function characterSet(node: AST.CharacterSet, scope: Scope): Members {
  switch (node.kind) {
    case 'any':
      return { units: scope.dotAll ? allChars : complement(lineEnds), points: allPoints };
    case 'property':
      return { units: propertyUnits(node.raw), points: allPoints };
    case 'digit':
      return shorthand(digits, node.negate);
    case 'space':
      return shorthand(spaces, node.negate);
    case 'word':
      return shorthand(wordChars, node.negate);
  }
}

const shorthand = (units: CharSet, negated: boolean): Members =>
  negated ? { units: complement(units), points: allPoints } : { units, points: [] };

const properties = new Map<string, CharSet>();

/** The units of a Unicode property, asked of the engine itself; its surrogates count as members. */
function propertyUnits(raw: string): CharSet {
  const known = properties.get(raw);
  if (known !== undefined) return known;
  let plane = '';
  for (let unit = 0; unit < firstAstral; unit += 1) plane += String.fromCharCode(unit);
  // Split at the surrogates, so that a high one never pairs with a low one behind it.
  const ranges = [...plane.slice(0, 0xd800).matchAll(new RegExp(`${raw}+`, 'gu'))].map(
    (run) => [run.index, run.index + run[0].length - 1] as const,
  );
  const upper = [...plane.slice(0xe000).matchAll(new RegExp(`${raw}+`, 'gu'))].map(
    (run) => [run.index + 0xe000, run.index + 0xe000 + run[0].length - 1] as const,
  );
  const units = charSet([...ranges, ...surrogates, ...upper]);
  properties.set(raw, units);
  return units;
}
