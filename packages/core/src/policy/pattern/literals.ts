import { foldUnit } from './case-fold.ts';
import { noChars, size, union, unitsOf, type CharSet } from './char-set.ts';
import { charUnits } from './first-set.ts';
import { measureLengths, type Lengths } from './measure.ts';
import type { CharSyntax, RepeatSyntax, Syntax } from './syntax.ts';

/** Texts of which every match contains one, with how far into the match it can begin. Case-folded. */
export interface LiteralSet {
  readonly texts: readonly string[];
  /** Distance from the start of the match to the start of the text, in UTF-16 units. */
  readonly before: Lengths;
  /** Units that can stand between the two. */
  readonly lead: CharSet;
}

/** Shorter texts occur everywhere, and looking at every place is slower than not looking for them. */
const minLiteralLength = 3;

/** `gh[pousr]_` is five texts; a class of ten is no text at all. */
const maxClass = 6;
const maxTexts = 64;
/** Longer texts find nothing that their beginning does not. */
const maxLiteralLength = 32;

/** What is known of a part: the texts it matches when they are few, else texts it must contain. */
interface Part {
  /** All texts that the part matches, folded; undefined when they are too many. */
  readonly exact: readonly string[] | undefined;
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

const unknown: Part = { exact: undefined, candidates: [] };
const empty: Part = { exact: [''], candidates: [] };

/** The best set of texts to look for, or undefined when the pattern requires none of usable length. */
export function findLiterals(node: Syntax): LiteralSet | undefined {
  const part = inspect(node);
  const chosen = best(part.exact === undefined ? part.candidates : candidate(part.exact, atStart));
  return chosen && { texts: chosen.texts, before: chosen.before, lead: unitsOfChain(chosen.parts) };
}

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
  if (size(set) > maxClass * 4) return unknown;
  const texts = new Set([...unitsOf(set)].map((unit) => String.fromCharCode(foldUnit(unit))));
  return texts.size > maxClass ? unknown : { exact: [...texts], candidates: [] };
}

/** Joins neighbouring parts into longer texts for as long as the texts stay few. */
function inspectSequence(items: readonly Syntax[]): Part {
  const candidates: Candidate[] = [];
  let run: readonly string[] = [''];
  let runPlace = atStart;
  let place = atStart;
  let whole = true;
  for (const item of items) {
    const part = inspect(item);
    const behind = { before: add(place.before, measureLengths(item)), parts: { part: item, rest: place.parts } };
    const joined = part.exact && join(run, part.exact);
    if (joined === undefined) {
      candidates.push(...candidate(run, runPlace));
      whole = false;
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
  if (whole) return { exact: run, candidates: [] };
  return { exact: undefined, candidates: [...candidates, ...candidate(run, runPlace)] };
}

function inspectChoice(branches: readonly Part[]): Part {
  if (branches.length === 1) return branches[0] ?? unknown;
  if (branches.every(({ exact }) => exact !== undefined)) {
    const exact = [...new Set(branches.flatMap((branch) => branch.exact ?? []))];
    if (exact.length <= maxTexts) return { exact, candidates: [] };
  }
  const chosen = branches.map((branch) =>
    best(branch.exact === undefined ? branch.candidates : candidate(branch.exact, atStart)),
  );
  const sets = chosen.flatMap((set) => set ?? []);
  if (sets.length < branches.length) return unknown;
  const before = {
    min: Math.min(...sets.map((set) => set.before.min)),
    max: Math.max(...sets.map((set) => set.before.max)),
  };
  const texts = [...new Set(sets.flatMap((set) => set.texts))];
  const parts = sets.reduce<Chain | undefined>((all, set) => chain(all, set.parts), undefined);
  return { exact: undefined, candidates: [{ texts, before, parts }] };
}

function inspectRepeat(node: RepeatSyntax): Part {
  const body = inspect(node.body);
  if (node.max === 0) return empty;
  if (node.min === 0) {
    const optional = node.max === 1 && body.exact !== undefined && body.exact.length < maxTexts;
    return optional ? { exact: [...new Set(['', ...(body.exact ?? [])])], candidates: [] } : unknown;
  }
  if (body.exact === undefined) return { exact: undefined, candidates: body.candidates };
  let run: readonly string[] | undefined = [''];
  for (let time = 0; time < node.min && run !== undefined; time += 1) run = join(run, body.exact);
  if (run !== undefined && node.min === node.max) return { exact: run, candidates: [] };
  return { exact: undefined, candidates: candidate(run ?? body.exact, atStart) };
}

const chain = (outer: Chain | undefined, inner: Chain | undefined): Chain | undefined =>
  inner === undefined ? outer : { part: inner, rest: outer };

/** Every unit that a match of the syntax can hold. */
function allUnits(node: Syntax): CharSet {
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

/** The texts as a candidate if each is long enough. Texts that begin with another of them are that one. */
function candidate(texts: readonly string[], place: Place): Candidate[] {
  if (texts.some((text) => text.length < minLiteralLength)) return [];
  const sorted = texts.toSorted((a, b) => a.length - b.length);
  const kept = sorted.filter((text, index) => !sorted.slice(0, index).some((shorter) => text.startsWith(shorter)));
  return [{ texts: kept, ...place }];
}

const best = (sets: readonly Candidate[]): Candidate | undefined =>
  sets.toSorted((a, b) => worth(b) - worth(a)).find(({ texts }) => texts.length > 0);

/**
 * How much looking for the texts is worth, in bits: rare texts are hit seldom, many texts more often;
 * a place that is not exactly known costs an attempt at each, and a text inside the match makes a
 * stream hold back everything before it that could belong to the match.
 */
function worth({ texts, before }: Candidate): number {
  const rarest = Math.min(...texts.map(rarity), 40);
  const spread = before.max === Infinity ? 60 : Math.log2(1 + before.max - before.min) * 2;
  return rarest - Math.log2(texts.length) - spread - (before.max > 0 ? 12 : 0);
}

/** The characters of running English text, from the most frequent on; all others are rare. */
const frequent = ' etaoinshrdlcumwfgypbvk';

/** Rough bits of information: three for a frequent character, eight for a rare one. */
const rarity = (text: string): number =>
  Array.from(text.toLowerCase()).reduce((bits, char) => {
    const rank = frequent.indexOf(char);
    return bits + (rank < 0 ? 8 : 3 + rank / 5);
  }, 0);
