/** The object without the members that are undefined: they would differ from absent ones in canonical JSON. */
export const omitUndefined = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
