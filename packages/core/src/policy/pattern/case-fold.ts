/**
 * Case folding that keeps offsets: only UTF-16 units that fold to one unit take part. Units are
 * equivalent when either case mapping leads from one to the other, which is a superset of what the
 * `i` flag of any engine here calls equal. So nothing that an engine would match is filtered away.
 */

const allUnits = 0x1_0000;

interface FoldTable {
  /** The unit that stands for all its equivalents, by unit. */
  readonly representative: Uint16Array;
  /** All units of an equivalence, by representative; units alone in theirs are absent. */
  readonly variants: ReadonlyMap<number, readonly number[]>;
  /** Units that have an equivalent besides themselves. */
  readonly cased: readonly number[];
}

let table: FoldTable | undefined;

/** Built at the first use: it takes a few milliseconds that a process without policies need not spend. */
const foldTable = (): FoldTable => (table ??= buildFoldTable());

/** The unit that stands for `unit` and everything that differs from it in case only. */
export const foldUnit = (unit: number): number => foldTable().representative[unit] ?? unit;

/** Every unit that folds to the same representative, itself included. */
export const foldVariants = (unit: number): readonly number[] => foldTable().variants.get(foldUnit(unit)) ?? [unit];

/** Units that have an equivalent besides themselves. */
export const casedUnits = (): readonly number[] => foldTable().cased;

function buildFoldTable(): FoldTable {
  const representative = new Uint16Array(allUnits);
  for (let unit = 0; unit < allUnits; unit += 1) representative[unit] = unit;
  const find = (unit: number): number => {
    let root = unit;
    while (representative[root] !== root) root = representative[root] ?? root;
    return root;
  };
  const cased = casedText();
  for (let at = 0; at < cased.length; at += 1) {
    const char = cased.charAt(at);
    for (const other of [char.toLowerCase(), char.toUpperCase()]) {
      if (other.length !== 1) continue;
      // The smaller root wins, so that ASCII stands for its look-alikes (the Kelvin sign, the long s).
      const [low, high] = [find(char.charCodeAt(0)), find(other.charCodeAt(0))].sort((a, b) => a - b);
      if (low !== undefined && high !== undefined) representative[high] = low;
    }
  }
  const variants = new Map<number, number[]>();
  for (let unit = 0; unit < allUnits; unit += 1) {
    const root = find(unit);
    representative[unit] = root;
    const members = variants.get(root);
    if (root !== unit) variants.set(root, [...(members ?? [root]), unit]);
  }
  return { representative, variants, cased: [...variants.values()].flat() };
}

/** Every unit that any case mapping changes. */
function casedText(): string {
  let plane = '';
  for (let unit = 0; unit < allUnits; unit += 1) if (unit < 0xd800 || unit > 0xdfff) plane += String.fromCharCode(unit);
  return (plane.match(/\p{Changes_When_Casemapped}/gu) ?? []).join('');
}
