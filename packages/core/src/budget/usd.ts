/* Money is whole micro-USD inside and USD on the wire. */

const microUsdPerUsd = 1_000_000;

export const renderUsd = (microUsd: number): number => microUsd / microUsdPerUsd;

/** The nearest whole micro-USD. */
export const microUsdOf = (usd: number): number => Math.round(usd * microUsdPerUsd);
