/** Tells by its UTF-16 unit whether a character is trimmed. */
type IsTrimmed = (unit: number) => boolean;

/**
 * Texts without such characters at their end. A pattern such as `/X+$/` tries every run of them inside the text, each from
 * every place of it; this looks at the end alone.
 */
export function trimEndMatching(text: string, isTrimmed: IsTrimmed): string {
  let end = text.length;
  while (end > 0 && isTrimmed(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Texts without such characters at both ends. */
export function trimMatching(text: string, isTrimmed: IsTrimmed): string {
  const bare = trimEndMatching(text, isTrimmed);
  let start = 0;
  while (start < bare.length && isTrimmed(bare.charCodeAt(start))) start += 1;
  return bare.slice(start);
}

const slash = 0x2f;

/** An address to which a path is put: the slashes at its end stand at the start of the path already. */
export const trimSlashes = (address: string): string => trimEndMatching(address, (unit) => unit === slash);
