/** Names that a key is restricted to, as an admin wrote them; one that ends in `*` stands for all that begin so. */
export interface NameScope {
  readonly names: readonly string[];
  allows(name: string): boolean;
}

/** Undefined, and so no restriction, for null. An empty list allows nothing. */
export function createNameScope(names: readonly string[] | null | undefined): NameScope | undefined {
  if (names === null || names === undefined) return undefined;
  const whole = new Set(names.filter((name) => !name.endsWith('*')));
  const beginnings = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return { names, allows: (name) => whole.has(name) || beginnings.some((beginning) => name.startsWith(beginning)) };
}

const maxShownNames = 20;
const maxShownLength = 100;

/** What the caller is told who asked for something outside the scope. */
export function describeScope(field: string, { names }: NameScope, asked: string | undefined): string {
  const shown = names.slice(0, maxShownNames).map((name) => name.slice(0, maxShownLength));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  const allowed = names.length === 0 ? 'nothing' : `${shown.join(', ')}${more}`;
  const request =
    asked === undefined ? 'and the request names none' : `not ${JSON.stringify(asked.slice(0, maxShownLength))}`;
  return `The scope ${field} of this API key allows ${allowed}, ${request}`;
}
