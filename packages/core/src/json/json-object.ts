export type JsonObject = Readonly<Record<string, unknown>>;

/** The value when it is a JSON object, else undefined. */
export const objectOf = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
