import { foldUnit, foldVariants } from './case-fold.ts';

/**
 * What the automaton takes for the same: letters in any case, digits, spaces and quotation marks among
 * each other. A text that it looks for stands for all of these, so that `\d{3}-\d{2}` is a text too; the
 * pattern decides what it really was.
 */
const kinds: readonly (readonly [stands: string, members: RegExp])[] = [
  [' ', /^\s$/],
  ['0', /^\d$/],
  ["'", /^['\u2019\u2018]$/],
];

interface AnchorTable {
  readonly representative: Uint16Array;
  readonly members: ReadonlyMap<number, readonly number[]>;
}

let table: AnchorTable | undefined;

const anchorTable = (): AnchorTable => (table ??= buildTable());

/** The unit that stands for `unit` and all that counts as the same. */
export const anchorUnit = (unit: number): number => anchorTable().representative[unit] ?? unit;

/** Every unit that counts as the same, itself included. */
export const anchorVariants = (unit: number): readonly number[] =>
  anchorTable().members.get(anchorUnit(unit)) ?? foldVariants(unit);

function buildTable(): AnchorTable {
  const representative = Uint16Array.from({ length: 0x1_0000 }, (_, unit) => foldUnit(unit));
  const members = new Map<number, number[]>();
  for (const [stands, member] of kinds) {
    const units: number[] = [];
    for (let unit = 0; unit < 0x1_0000; unit += 1) if (member.test(String.fromCharCode(unit))) units.push(unit);
    for (const unit of units) representative[unit] = stands.charCodeAt(0);
    members.set(stands.charCodeAt(0), units);
  }
  return { representative, members };
}
