/** A property of a parsed JSON value, undefined when the value is not an object or lacks it. */
export const property = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;

export const textProperty = (value: unknown, key: string): string | undefined => {
  const found = property(value, key);
  return typeof found === 'string' ? found : undefined;
};

/** A count in a parsed JSON value; anything but a non-negative finite number counts as 0. */
export const countProperty = (value: unknown, key: string): number => {
  const found = property(value, key);
  return typeof found === 'number' && Number.isFinite(found) && found > 0 ? Math.floor(found) : 0;
};

export const listProperty = (value: unknown, key: string): readonly unknown[] => {
  const found = property(value, key);
  return Array.isArray(found) ? found : [];
};
