/** A property of a parsed JSON value, undefined when the value is not an object or lacks it. */
export const property = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;

export const textProperty = (value: unknown, key: string): string | undefined => {
  const found = property(value, key);
  return typeof found === 'string' ? found : undefined;
};

/** What a number that is no count is read as: more than there can be of anything, and small enough to be added up. */
export const impossibleCount = 2 ** 48;

/**
 * A count in a parsed JSON value: 0 where it is absent or no number, `impossibleCount` where it is negative, a
 * fraction, or larger than that, so that it is not taken for nothing.
 */
export const countProperty = (value: unknown, key: string): number => {
  const found = property(value, key);
  if (typeof found !== 'number') return 0;
  return Number.isInteger(found) && found >= 0 && found < impossibleCount ? found : impossibleCount;
};

/** Whether a list holds numbers, or lists of numbers: texts as the tokens of some model. */
export const holdsTokens = (value: unknown): boolean =>
  Array.isArray(value) && value.some((member) => isNumber(member) || (Array.isArray(member) && member.some(isNumber)));

const isNumber = (value: unknown): boolean => typeof value === 'number';

export const listProperty = (value: unknown, key: string): readonly unknown[] => {
  const found = property(value, key);
  return Array.isArray(found) ? found : [];
};
