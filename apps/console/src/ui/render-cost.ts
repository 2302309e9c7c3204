const usd = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

/** USD, and a dash where nothing is known: an unknown cost is not zero. */
export const renderCost = (cost: number | null): string => (cost === null ? '–' : usd.format(cost));
