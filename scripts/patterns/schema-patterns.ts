/** The patterns of the JSON schemas among some values: what callers send is held against each, whole and from any place. */
export function findSchemaPatterns(values: readonly unknown[]): ReadonlySet<string> {
  const patterns = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { type, pattern, patternProperties } = value as Readonly<Record<string, unknown>>;
    if (type === 'string' && typeof pattern === 'string') patterns.add(pattern);
    if (typeof patternProperties === 'object' && patternProperties !== null)
      for (const key of Object.keys(patternProperties)) patterns.add(key);
    for (const inside of Object.values(value)) visit(inside);
  };
  values.forEach(visit);
  return patterns;
}
