import type { AST } from '@eslint-community/regexpp';

/**
 * What the engine pays to compile a pattern, told from its syntax alone, before it is given to the engine.
 * One unit is about a twentieth of a millisecond. V8 writes small repetitions out and follows every way
 * through parts that may be left out one behind the other, which comes to about the fifth power of their number.
 */
export const maxCompileWeight = 3_000;

/** V8 writes a repetition out where its bounds are no higher. */
const writtenOut = 3;

/** It stops writing out where parts inside each other would come to more. */
const mostCopies = 12;

const optionalWeight = 10;

/** A run of 20 optional parts takes some 16 to 50 ms, by what they are. */
const runWeight = (optionals: number): number => 3_000 * (optionals / 20) ** 5;

/** Classes that letter case and code points beyond the basic plane make large, when both flags ask for it. */
const foldedClassWeight = 120;

/** Classes that reach beyond the basic plane are several ways to the engine: single units and pairs. */
const astralClassWeight = 60;

/** Classes beyond ASCII, of which every member in another case is looked up. */
const wideClassWeight = 20;

/** Each property is worked out once, unit by unit. */
const propertyWeight = 150;

/** Alternatives are compared with each other: a thousand pairs of them weigh this much. */
const pairWeight = 25;

/** Classes beyond the basic plane right behind a word boundary: each multiplies the ways that the engine follows. */
const boundaryWeight = (classes: number): number => 8 ** classes / 7;

interface Flags {
  readonly ignoreCase: boolean;
  readonly unicode: boolean;
}

/** The weight of a parsed pattern, in the units of `maxCompileWeight`. */
export function compileWeight(pattern: AST.Pattern, flags: string): number {
  const scale = new Scale({ ignoreCase: flags.includes('i'), unicode: flags.includes('u') });
  scale.weighAlternatives(pattern.alternatives, 1);
  return scale.total();
}

class Scale {
  readonly #flags: Flags;
  #weight = 0;
  /** Optional parts since the last part that cannot be left out. */
  #run = 0;
  /** Such classes since the last word boundary; undefined where something else stands between. */
  #behindBoundary: number | undefined = undefined;
  readonly #properties = new Set<string>();

  constructor(flags: Flags) {
    this.#flags = flags;
  }

  total(): number {
    this.#endRun();
    return this.#weight;
  }

  /** @param copies how often the engine writes the part out */
  weighAlternatives(alternatives: readonly AST.Alternative[], copies: number): void {
    this.#add((pairWeight * alternatives.length ** 2) / 1_000);
    const before = this.#run;
    let longest = 0;
    for (const { elements } of alternatives) {
      this.#run = before;
      for (const element of elements) this.#weigh(element, copies);
      longest = Math.max(longest, this.#run);
    }
    this.#run = longest;
    if (alternatives.length > 1 && alternatives.some(({ elements }) => elements.length === 0)) this.#optional(copies);
  }

  #weigh(node: AST.Element, copies: number): void {
    switch (node.type) {
      case 'Group':
      case 'CapturingGroup':
        this.weighAlternatives(node.alternatives, copies);
        return;
      case 'Quantifier':
        this.#weighQuantifier(node, copies);
        return;
      case 'Assertion':
        this.#add(copies);
        if (node.kind === 'word') this.#behindBoundary = 0;
        if (node.kind === 'lookahead' || node.kind === 'lookbehind') this.weighAlternatives(node.alternatives, copies);
        return;
      case 'Character':
      case 'CharacterClass':
      case 'CharacterSet':
      case 'ExpressionCharacterClass':
      case 'Backreference':
        this.#add(copies * this.#characterWeight(node));
        this.#followBoundary(node, copies);
        this.#endRun();
    }
  }

  #weighQuantifier(node: AST.Quantifier, copies: number): void {
    const { min, max, element } = node;
    const required = min > writtenOut ? 1 : min;
    const open = max > writtenOut;
    const optionals = open ? 1 : Math.max(0, max - min);
    const before = this.#run;
    this.#weigh(element, Math.min(mostCopies, copies * Math.max(1, required + optionals)));
    // Copies stand one behind the other, and what may be left out ends no run.
    this.#run = required > 0 ? this.#run * required : Math.max(before, this.#run);
    if (optionals === 0) return;
    // The engine does not look beyond a repetition that it leaves as one.
    if (open) this.#behindBoundary = undefined;
    if (open) this.#add(optionalWeight * copies);
    else this.#optional(copies * optionals);
  }

  #characterWeight(node: AST.Element): number {
    if (node.type !== 'CharacterClass' && node.type !== 'CharacterSet') return 1;
    for (const [property] of node.raw.matchAll(/\\[pP]\{[^}\\]*\}/g)) {
      if (!this.#properties.has(property)) this.#add(propertyWeight);
      this.#properties.add(property);
    }
    const { ignoreCase, unicode } = this.#flags;
    const large = isLarge(node);
    if (unicode && large) return ignoreCase ? foldedClassWeight : astralClassWeight;
    return ignoreCase && (large || /\\u|[\u0080-\uffff]/.test(node.raw)) ? wideClassWeight : 1 + node.raw.length / 8;
  }

  #followBoundary(node: AST.Element, copies: number): void {
    if (this.#behindBoundary === undefined) return;
    this.#behindBoundary = this.#flags.unicode && isLarge(node) ? this.#behindBoundary + copies : undefined;
    if (this.#behindBoundary !== undefined) this.#add(boundaryWeight(this.#behindBoundary));
  }

  #optional(count: number): void {
    this.#run += count;
    this.#add(optionalWeight * count);
  }

  #endRun(): void {
    this.#add(runWeight(this.#run));
    this.#run = 0;
  }

  #add(weight: number): void {
    this.#weight += weight;
  }
}

/** A class with members beyond the basic plane, as far as its text tells. */
const isLarge = ({ raw }: AST.Element): boolean => /\\[pPDWS]|^\[\^|^\.$/.test(raw);
