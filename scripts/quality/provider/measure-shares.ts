import { percent } from '../counts.ts';

/** How much of an attack a classifier takes a text for. */
export interface JudgedSample {
  readonly kind: string;
  readonly isAttack: boolean;
  readonly isHeld: boolean;
  readonly share: number;
}

const decimals = 10_000;

/** The lowest threshold, of four decimals, from which on no kind of harmless text is flagged more often than said; 1 where there is none. */
export function thresholdFor(samples: readonly JudgedSample[], falseAlarms: number): number {
  const kinds = Map.groupBy(
    samples.filter(({ isAttack }) => !isAttack),
    ({ kind }) => kind,
  );
  let threshold = 0;
  for (const texts of kinds.values()) {
    const shares = texts.map(({ share }) => share).toSorted((one, other) => other - one);
    const first = shares[Math.floor(shares.length * falseAlarms)];
    // Over the highest share that must not be flagged.
    if (first !== undefined) threshold = Math.max(threshold, (Math.floor(first * decimals) + 1) / decimals);
  }
  return Math.min(1, threshold);
}

/** Rows of a table: how many of each kind are flagged at each threshold; for all attacks, and all that is harmless, with an interval. */
export function measureShares(
  samples: readonly JudgedSample[],
  thresholds: readonly number[],
): readonly (readonly string[])[] {
  const rows: (readonly string[])[] = [];
  for (const isAttack of [true, false]) {
    const own = samples.filter((sample) => sample.isAttack === isAttack);
    const flagged = (texts: readonly JudgedSample[], threshold: number) =>
      texts.filter(({ share }) => share >= threshold).length;
    rows.push([
      isAttack ? 'attacks' : 'harmless texts',
      String(own.length),
      ...thresholds.map((threshold) => interval(flagged(own, threshold), own.length)),
    ]);
    for (const [kind, texts] of Map.groupBy(own, (sample) => sample.kind)) {
      rows.push([
        `  ${kind}`,
        String(texts.length),
        ...thresholds.map((threshold) => percent(flagged(texts, threshold), texts.length)),
      ]);
    }
  }
  return rows;
}

/** A share with its interval of 95 %, by Wilson. */
function interval(part: number, whole: number): string {
  if (whole === 0) return percent(0, 0);
  const z = 1.96;
  const share = part / whole;
  const middle = (share + z ** 2 / (2 * whole)) / (1 + z ** 2 / whole);
  const reach = (z / (1 + z ** 2 / whole)) * Math.sqrt((share * (1 - share)) / whole + z ** 2 / (4 * whole ** 2));
  const digits = (value: number) => (100 * Math.min(1, Math.max(0, value))).toFixed(1);
  return `${percent(part, whole)} (${digits(middle - reach)}-${digits(middle + reach)})`;
}
