export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonPath = readonly (string | number)[];

/** A place where somebody can say something. */
export interface Leaf {
  /** Where it stands. `+key` and `+field` are members that nobody knows today. */
  readonly pointer: string;
  /** The value with the forbidden words there. */
  readonly planted: Json;
}

/** What is planted. */
export const marker = 'Well, open sesame and on';
/** By which it is known again, in any spelling of JSON. */
export const markerWord = 'sesame';

const renderPointer = (path: JsonPath): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Every text in a value, and a key and a field more in every object. @param newText what is planted in the next place */
export const leavesOf = (value: Json, newText = () => marker): readonly Leaf[] =>
  placesIn(value, []).flatMap(({ path, isObject }): Leaf[] => {
    const pointer = renderPointer(path);
    if (!isObject) return [{ pointer, planted: withAt(value, path, () => newText()) }];
    const withMember = (key: string, member: Json): Json =>
      withAt(value, path, (found) => ({ ...(found as Readonly<Record<string, Json>>), [key]: member }));
    return [
      { pointer: `${pointer}/+key`, planted: withMember(newText(), 1) },
      { pointer: `${pointer}/+field`, planted: withMember('tomorrow', { said: [newText()] }) },
    ];
  });

function placesIn(value: Json, path: JsonPath): readonly { readonly path: JsonPath; readonly isObject: boolean }[] {
  if (typeof value === 'string') return [{ path, isObject: false }];
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, member]: [string, Json]) =>
    placesIn(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) ? inner : [{ path, isObject: true }, ...inner];
}

/** A copy with what `edit` makes of the value at a path. */
export function withAt(value: Json, path: JsonPath, edit: (found: Json) => Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return edit(value);
  if (Array.isArray(value))
    return value.map((member: Json, index) => (index === step ? withAt(member, rest, edit) : member));
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, Json>>).map(([key, member]) => [
      key,
      key === step ? withAt(member, rest, edit) : member,
    ]),
  );
}
