/** Characters of one side that a trace shows. */
export const shownCharacters = 16_384;
/**
 * Read beyond them: what is to be hidden must be seen whole, also where it stands across the end of what is shown.
 * A private key has some three thousand.
 */
export const seenBeyond = 8_192;
/** Texts of one message or answer; more are left out. */
export const maxParts = 64;

/** A file in base64 is no text; its beginning tells. */
const fileStart = /^(?:data:[\w.+/-]+;base64,|[A-Za-z0-9+/_-]{512})/;

export const isFile = (text: string): boolean => text.length >= 1_000 && fileStart.test(text.slice(0, 600));
