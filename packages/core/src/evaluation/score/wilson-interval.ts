/** Of 95 % confidence. */
const z = 1.959_964;

/** Where a share lies with 95 % confidence, by Wilson's formula, in percent; null of nothing. */
export function wilsonInterval(part: number, whole: number): readonly [low: number, high: number] | null {
  if (whole === 0) return null;
  const share = part / whole;
  const spread = z * Math.sqrt((share * (1 - share)) / whole + (z * z) / (4 * whole * whole));
  const middle = share + (z * z) / (2 * whole);
  const scale = 1 + (z * z) / whole;
  return [round((100 * Math.max(0, middle - spread)) / scale), round((100 * Math.min(scale, middle + spread)) / scale)];
}

/** Scores have two digits behind the point, so that the same run reads the same everywhere. */
export const round = (score: number): number => Math.round(score * 100) / 100;
