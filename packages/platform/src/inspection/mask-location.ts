/** Keys this long are text, and may be what a rule hides. */
const longPart = /[^/. ]{24,}/g;

/** Where something stands, as it may be recorded: a pointer or channel without the text of long keys. */
export const maskLocation = (location: string): string =>
  location.length < 24 ? location : location.replaceAll(longPart, (part) => `(${part.length} characters)`);
