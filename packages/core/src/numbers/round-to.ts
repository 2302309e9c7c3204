/** The nearest number with so many digits behind the point: an answer has no more of them than it means. */
export function roundTo(digits: number, value: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}

/** A share of 0 to 1, to a hundredth of a percent. */
export const roundShare = (share: number): number => roundTo(4, share);
/** A percentage, to two digits. */
export const roundPercent = (percent: number): number => roundTo(2, percent);
/** A duration in milliseconds, to a microsecond. */
export const roundMs = (ms: number): number => roundTo(3, ms);
