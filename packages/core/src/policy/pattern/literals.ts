import { anchorUnit } from './anchor-fold.ts';
import { noChars, size, union, unitsOf, type CharSet } from './char-set.ts';
import { charUnits } from './first-set.ts';
import { measureLengths, type Lengths } from './measure.ts';
import type { CharSyntax, RepeatSyntax, Syntax } from './syntax.ts';
import { frequencyOf, frequencyOfAll } from './text-frequency.ts';

/** Texts of which every match contains one, folded as `anchorUnit` folds, and how far into the match it begins. */
export interface RequiredTexts {
  readonly texts: readonly string[];
  /** Distance from the start of the match to the start of the text, in UTF-16 units. */
  readonly before: Lengths;
}

/** The texts that tell where a match may be. */
export interface LiteralSet extends RequiredTexts {
  /** Units that can stand between the start of the match and the text. */
  readonly lead: CharSet;
  /** Other texts that a match has to contain as well, where the first ones alone are too common. */
  readonly coRequired: RequiredTexts | undefined;
}

/** Shorter texts occur everywhere, unless their characters are rare ones. */
const minLiteralLength = 3;
const rareFrequency = 1 / 200;

/** `gh[pousr]_` is five texts; a class of ten is no text at all. */
const maxClass = 6;
const maxTexts = 96;
/** Longer texts find nothing that their beginning does not. */
const maxLiteralLength = 32;
/** What is rarer than this is not made rarer still. */
const rareEnough = 2 ** -32;
const fewestKept = 4;
/** Repetitions that differ by more are not written out. */
const maxVariants = 3;

/** What is known of a part: the texts it matches when they are few, else texts it must contain. */
interface Part {
  /** All texts that the part matches, folded; undefined when they are too many. */
  readonly exact: readonly string[] | undefined;
  /** Texts one of which every match of the part begins with. */
  readonly prefixes: readonly string[];
  readonly candidates: readonly Candidate[];
}

/** Where in the match a text begins, and the parts that stand before it. */
interface Place {
  readonly before: Lengths;
  readonly parts: Chain | undefined;
}

/** A list that shares its tail, since most parts are never asked for what stands before them. */
interface Chain {
  readonly part: Syntax | Chain;
  readonly rest: Chain | undefined;
}

const atStart: Place = { before: { min: 0, max: 0 }, parts: undefined };

interface Candidate extends Place {
  readonly texts: readonly string[];
}

const unknown: Part = { exact: undefined, prefixes: [''], candidates: [] };
const exactly = (texts: readonly string[]): Part => ({ exact: texts, prefixes: texts, candidates: [] });
const empty = exactly(['']);

/** The best set of texts to look for, or undefined when the pattern requires none that is worth it. */
export function findLiterals(node: Syntax): LiteralSet | undefined {
  const part = inspect(node);
  const candidates = candidatesOf(part);
  const chosen = best(candidates);
  if (chosen === undefined) return undefined;
  const { texts, before, parts } = chosen;
  const coRequired = bestCoRequired(candidates, chosen);
  return {
    texts,
    before,
    lead: unitsOfChain(parts),
    coRequired: coRequired && { texts: coRequired.texts, before: coRequired.before },
  };
}

const candidatesOf = ({ exact, candidates }: Part): readonly Candidate[] =>
  exact === undefined ? candidates : candidate(exact, atStart);

function unitsOfChain(chain: Chain | undefined): CharSet {
  const sets: CharSet[] = [];
  for (let link = chain; link !== undefined; link = link.rest) {
    sets.push('kind' in link.part ? allUnits(link.part) : unitsOfChain(link.part));
  }
  return union(...sets);
}

function inspect(node: Syntax): Part {
  switch (node.kind) {
    case 'char':
      return inspectChar(node);
    case 'sequence':
      return inspectSequence(node.items);
    case 'choice':
      return inspectChoice(node.branches.map(inspect));
    case 'repeat':
      return inspectRepeat(node);
    case 'edge':
    case 'look':
      return empty;
  }
}

/** Sets are shared between the characters of a pattern, and so are their texts. */
const charParts = new WeakMap<CharSet, Part>();

function inspectChar(node: CharSyntax): Part {
  if (node.astral.length > 0) return unknown;
  let part = charParts.get(node.set);
  if (part === undefined) charParts.set(node.set, (part = inspectSet(node.set)));
  return part;
}

function inspectSet(set: CharSet): Part {
  // Folded sets are at most a few times their number of distinct texts.
  if (size(set) > maxClass * 12) return unknown;
  const texts = new Set([...unitsOf(set)].map((unit) => String.fromCharCode(anchorUnit(unit))));
  return texts.size > maxClass ? unknown : exactly([...texts]);
}

/** Joins neighbouring parts into longer texts for as long as the texts stay few. */
function inspectSequence(items: readonly Syntax[]): Part {
  const candidates: Candidate[] = [];
  let run: readonly string[] = [''];
  let runPlace = atStart;
  let place = atStart;
  let prefixes: readonly string[] | undefined;
  for (const item of items) {
    const part = inspect(item);
    const behind = { before: add(place.before, measureLengths(item)), parts: { part: item, rest: place.parts } };
    const joined = part.exact && join(run, part.exact);
    if (joined === undefined) {
      const extended = extend(run, part.exact ?? part.prefixes);
      candidates.push(...candidate(extended, runPlace));
      prefixes ??= extended;
      run = part.exact ?? [''];
      runPlace = part.exact === undefined ? behind : place;
    } else {
      run = joined;
    }
    for (const inner of part.candidates) {
      const before = add(place.before, inner.before);
      candidates.push({ texts: inner.texts, before, parts: chain(place.parts, inner.parts) });
    }
    place = behind;
  }
  if (prefixes === undefined) return exactly(run);
  return { exact: undefined, prefixes, candidates: [...candidates, ...candidate(run, runPlace)] };
}

function inspectChoice(branches: readonly Part[]): Part {
  if (branches.length === 1) return branches[0] ?? unknown;
  if (branches.every(({ exact }) => exact !== undefined)) {
    const exact = [...new Set(branches.flatMap((branch) => branch.exact ?? []))];
    if (exact.length <= maxTexts) return exactly(exact);
  }
  const prefixes = extend([''], withoutLonger(branches.flatMap((branch) => branch.prefixes)));
  const sets = branches.map(candidatesOf);
  const firsts = sets.map(best);
  const merged = merge(firsts);
  if (merged === undefined) return { exact: undefined, prefixes, candidates: [] };
  const seconds = sets.map((candidates, at) => firsts[at] && bestCoRequired(candidates, firsts[at]));
  const second = merge(seconds);
  return { exact: undefined, prefixes, candidates: second === undefined ? [merged] : [merged, second] };
}

/** A candidate of each branch, as one of the whole choice; undefined when a branch has none. */
function merge(branches: readonly (Candidate | undefined)[]): Candidate | undefined {
  const sets = branches.flatMap((set) => set ?? []);
  if (sets.length < branches.length) return undefined;
  const before = {
    min: Math.min(...sets.map((set) => set.before.min)),
    max: Math.max(...sets.map((set) => set.before.max)),
  };
  const texts = [...new Set(sets.flatMap((set) => set.texts))];
  const parts = sets.reduce<Chain | undefined>((all, set) => chain(all, set.parts), undefined);
  return { texts, before, parts };
}

function inspectRepeat(node: RepeatSyntax): Part {
  const body = inspect(node.body);
  if (node.max === 0) return empty;
  if (body.exact === undefined) {
    if (node.min === 0) return unknown;
    return { exact: undefined, prefixes: body.prefixes, candidates: body.candidates };
  }
  let run: readonly string[] = [''];
  const counts: (readonly string[])[] = [run];
  while (counts.length <= Math.min(node.max, node.min + maxVariants)) {
    const longer = join(run, body.exact);
    if (longer === undefined) break;
    run = longer;
    counts.push(run);
  }
  const all = [...new Set(counts.slice(node.min).flat())];
  if (counts.length === node.max + 1 && all.length <= maxTexts) return exactly(all);
  const prefixes = counts[Math.min(node.min, counts.length - 1)] ?? [''];
  return { exact: undefined, prefixes, candidates: candidate(prefixes, atStart) };
}

const chain = (outer: Chain | undefined, inner: Chain | undefined): Chain | undefined =>
  inner === undefined ? outer : { part: inner, rest: outer };

/** Every unit that a match of the syntax can hold. */
export function allUnits(node: Syntax): CharSet {
  switch (node.kind) {
    case 'char':
      return charUnits(node);
    case 'sequence':
      return union(...node.items.map(allUnits));
    case 'choice':
      return union(...node.branches.map(allUnits));
    case 'repeat':
      return allUnits(node.body);
    case 'edge':
    case 'look':
      return noChars;
  }
}

const add = (a: Lengths, b: Lengths): Lengths => ({ min: a.min + b.min, max: a.max + b.max });

/** Every text followed by every other; undefined when that makes too many or too long ones. */
function join(heads: readonly string[], tails: readonly string[]): readonly string[] | undefined {
  const [only] = tails;
  if (tails.length === 1 && only === '') return heads;
  if (heads.length * tails.length > maxTexts) return undefined;
  // With one tail the texts stay as different as the heads are.
  const joined = heads.flatMap((head) => tails.map((tail) => head + tail));
  const texts = tails.length === 1 ? joined : [...new Set(joined)];
  return texts.some((text) => text.length > maxLiteralLength) ? undefined : texts;
}

/** The heads followed by as much of the tails' beginnings as leaves them few. */
function extend(heads: readonly string[], tails: readonly string[]): readonly string[] {
  for (const length of [12, 8, 6, 5, 4, 3, 2, 1]) {
    const cut = withoutLonger(tails.map((tail) => tail.slice(0, length)));
    const joined = join(heads, cut);
    if (joined !== undefined) return joined;
  }
  return heads;
}

/** Texts that begin with another of them are that one. */
function withoutLonger(texts: readonly string[]): readonly string[] {
  const kept = new Set<string>();
  for (const text of texts.toSorted((a, b) => a.length - b.length)) {
    let begins = kept.has('');
    for (let length = 1; length <= text.length && !begins; length += 1) begins = kept.has(text.slice(0, length));
    if (!begins) kept.add(text);
  }
  return [...kept];
}

/** The texts as a candidate if each is long enough or rare enough, cut to what makes them rare. */
function candidate(texts: readonly string[], place: Place): Candidate[] {
  if (texts.some((text) => text.length < minLiteralLength && frequencyOf(text) > rareFrequency)) return [];
  return [{ texts: withoutLonger(texts.map(cutToRare)), ...place }];
}

function cutToRare(text: string): string {
  for (let length = fewestKept; length < text.length; length += 1) {
    const cut = text.slice(0, length);
    if (frequencyOf(cut) <= rareEnough) return cut;
  }
  return text;
}

const best = (sets: readonly Candidate[]): Candidate | undefined =>
  sets.toSorted((a, b) => worth(b) - worth(a)).find(({ texts }) => texts.length > 0);

/**
 * How much looking for the texts is worth, in bits: rare texts are hit seldom, many texts more often;
 * a place that is not exactly known costs an attempt at each, and a text inside the match makes a
 * stream hold back everything before it that could belong to the match.
 */
function worth({ texts, before }: Candidate): number {
  const rarity = -Math.log2(frequencyOfAll(texts));
  const spread = before.max === Infinity ? 60 : Math.log2(1 + before.max - before.min) * 2;
  return rarity - spread - (before.max > 0 ? 18 : 0);
}

/** A text is not asked for beside one that is as rare as this. */
const rareAlone = 2 ** -24;
/** What is found as often as this in the reach of a match rules nothing out. */
const tooLikely = 0.4;
/** Longest distance over which two texts belong together. */
const maxReach = 2_000;

/** Of the other texts that a match contains, those that are found least often where a match may be. */
function bestCoRequired(sets: readonly Candidate[], chosen: Candidate): Candidate | undefined {
  if (frequencyOfAll(chosen.texts) <= rareAlone) return undefined;
  let found: Candidate | undefined;
  let lowest = tooLikely;
  for (const set of sets) {
    if (set === chosen || set.before.max > maxReach || set.texts.join() === chosen.texts.join()) continue;
    const likely = frequencyOfAll(set.texts) * Math.max(set.before.max, chosen.before.max, 16);
    if (likely >= lowest) continue;
    lowest = likely;
    found = set;
  }
  return found;
}
