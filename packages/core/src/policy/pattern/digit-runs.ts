import { intersects, isSubset, type CharSet } from './char-set.ts';
import type { Syntax } from './syntax.ts';

/** Longer runs count as this long. */
const longest = 31;
const digits: CharSet = [[0x30, 0x39]];
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/** Runs of any length. */
export const anyRun = -1;

/**
 * The lengths that a run of digits may have with which a match begins, as bits: bit 9 is set when the text may have nine
 * digits from there on, and no tenth. Where numbers stand that are longer or shorter than what a pattern looks for,
 * counting their digits once is cheaper than trying it. Lookarounds and edges are passed over, a lookahead at the
 * end that refuses digits excepted, so there may be more bits than matches, never fewer.
 */
export function digitRuns(syntax: Syntax): number {
  const walk = new RunWalk();
  const complete = walk.read(syntax, 1);
  if (refusesDigits(syntax)) return walk.left | complete;
  // The match may be over before the run is.
  const shortest = complete & -complete;
  return walk.left | -shortest;
}

/** Runs of the latest text, by the lower bits of their places: all patterns for numbers ask about the same ones. */
const slots = 1 << 14;
const placeOf = new Int32Array(slots);
const bitOf = new Int32Array(slots);
/** Which text an entry is about, counted. */
const textOf = new Float64Array(slots);
let known = '';
let texts = 1;

/** The bit of the run of digits that begins at a place of a text. */
export function runAt(text: string, at: number): number {
  if (text !== known) {
    texts += 1;
    known = text;
  }
  const slot = at & (slots - 1);
  if (placeOf[slot] === at && textOf[slot] === texts) return bitOf[slot] as number;
  const bit = knownFromBefore(text, at) ?? countRun(text, at);
  placeOf[slot] = at;
  textOf[slot] = texts;
  bitOf[slot] = bit;
  return bit;
}

function countRun(text: string, at: number): number {
  let end = at;
  while (end - at < longest && isDigit(text.charCodeAt(end))) end += 1;
  return 1 << (end - at);
}

/** What the run that begins one place before tells: in endless digits nothing is counted twice. */
function knownFromBefore(text: string, at: number): number | undefined {
  const slot = (at - 1) & (slots - 1);
  if (placeOf[slot] !== at - 1 || textOf[slot] !== texts) return undefined;
  const bit = bitOf[slot] as number;
  if (bit === 1) return undefined;
  return bit === 1 << longest && isDigit(text.charCodeAt(at + longest - 1)) ? bit : bit >>> 1;
}

class RunWalk {
  /** How many digits have been read where something else may follow. */
  left = 0;

  /** How many digits may have been read behind a part, where it may have been so many before. */
  read(node: Syntax, counts: number): number {
    if (counts === 0) return 0;
    switch (node.kind) {
      case 'char':
        if (node.astral.length > 0 || !isSubset(node.set, digits)) this.left |= counts;
        return intersects(node.set, digits) ? oneMore(counts) : 0;
      case 'sequence':
        return node.items.reduce((before, item) => this.read(item, before), counts);
      case 'choice':
        return node.branches.reduce((all, branch) => all | this.read(branch, counts), 0);
      case 'repeat':
        return this.#repeat(node.body, node.min, node.max, counts);
      case 'edge':
      case 'look':
        return counts;
    }
  }

  #repeat(body: Syntax, min: number, max: number, counts: number): number {
    let now = counts;
    // Beyond the longest run nothing changes any more.
    for (let turn = 0; turn < Math.min(min, longest + 1); turn += 1) now = this.read(body, now);
    let all = now;
    for (let turn = min; turn < Math.min(max, min + longest + 1); turn += 1) {
      now = this.read(body, now);
      all |= now;
    }
    return all;
  }
}

const oneMore = (counts: number): number => (counts << 1) | (counts & (1 << longest));

/** The last part says that no digit may follow. */
function refusesDigits(syntax: Syntax): boolean {
  if (syntax.kind === 'sequence') {
    const last = syntax.items.at(-1);
    return last !== undefined && refusesDigits(last);
  }
  if (syntax.kind === 'choice') return syntax.branches.length > 0 && syntax.branches.every(refusesDigits);
  return syntax.kind === 'look' && syntax.negated && !syntax.behind && takesDigit(syntax.body);
}

/** Any digit by itself is a match. */
function takesDigit(node: Syntax): boolean {
  if (node.kind === 'choice') return node.branches.some(takesDigit);
  if (node.kind === 'sequence') return node.items.length === 1 && node.items.every(takesDigit);
  return node.kind === 'char' && isSubset(digits, node.set);
}
