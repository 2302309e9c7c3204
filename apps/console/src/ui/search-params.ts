const maxLength = 2_000;

/** The texts of an address's query that have these names, bounded; what is absent or something else is left out. */
export function texts<Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): { readonly [Key in Name]?: string } {
  const found = names.flatMap((name) => {
    const value = search[name];
    const given = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    return typeof given === 'string' && given !== '' ? [[name, given.slice(0, maxLength)]] : [];
  });
  return Object.fromEntries(found) as { readonly [Key in Name]?: string };
}
