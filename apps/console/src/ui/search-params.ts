/** One text of an address's query, bounded, under its name; nothing where it is absent or something else. */
export const text = <Name extends string>(
  search: Record<string, unknown>,
  name: Name,
): { readonly [Key in Name]?: string } => {
  const value = search[name];
  const given = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return (typeof given === 'string' && given !== '' ? { [name]: given.slice(0, 2_000) } : {}) as {
    readonly [Key in Name]?: string;
  };
};
