/** Reads what may be there in an answer: nothing here throws for any answer. */
export const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** @param path names and places in lists with dots between, for example `results.0.flagged`; empty finds nothing */
export const valueAt = (value: unknown, path: string): unknown =>
  path === '' ? undefined : path.split('.').reduce(propertyOf, value);

export const textAt = (value: unknown, path: string): string | undefined => {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : undefined;
};

export const numberAt = (value: unknown, path: string): number | undefined => {
  const found = valueAt(value, path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
};

export const listAt = (value: unknown, path: string): readonly unknown[] => {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
};

/** Names and values of an object; none of anything else. */
export const entriesAt = (value: unknown, path: string): readonly (readonly [string, unknown])[] => {
  const found = valueAt(value, path);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? Object.entries(found) : [];
};

/** A figure as a share from 0 to 1. */
export const shareOf = (value: number): number => Math.min(1, Math.max(0, value));

/** The figures among the values of an object, as shares. */
export const sharesAt = (value: unknown, path: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    entriesAt(value, path).flatMap(([name, figure]) => (typeof figure === 'number' ? [[name, shareOf(figure)]] : [])),
  );

/** The highest of the scores named; null when none of them is known. */
export function highestScore(
  scores: Readonly<Record<string, number>>,
  names: readonly string[] = Object.keys(scores),
): number | null {
  const known = names.flatMap((name) => scores[name] ?? []);
  return known.length === 0 ? null : Math.max(...known);
}
