/** Names that are kept: far more than a gateway has keys and proxies in use. */
const maxKept = 20_000;

/**
 * Names that are made of a number, each written once: a text that was just put together has to be copied and hashed
 * before anything can be looked up by it.
 */
export function numberedNames(render: (id: number) => string): (id: number) => string {
  const known = new Map<number, string>();
  return (id) => {
    const found = known.get(id);
    if (found !== undefined) return found;
    if (known.size >= maxKept) known.clear();
    const name = render(id);
    known.set(id, name);
    return name;
  };
}
