type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** Optional fields of the normal form are absent, never undefined. */
export const withoutUndefined = <Fields extends object>(fields: Fields): Present<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>;
