/** What is known of a text that commands pass on. */
export interface Content {
  /** The text itself, where it is constant. */
  readonly text?: string | undefined;
  /** Addresses that it was fetched from; an empty one is not known. */
  readonly urls?: readonly string[] | undefined;
  /** Files that it was read from. */
  readonly files?: readonly string[] | undefined;
  readonly isDecoded?: boolean | undefined;
  /** It was kept in a file, and perhaps compared with a checksum, before it was used. */
  readonly isStored?: boolean | undefined;
  readonly isVerified?: boolean | undefined;
  /** A name that was looked up rather than put together. */
  readonly isPlain?: boolean | undefined;
  /** It holds what is in a store of credentials. */
  readonly isSecret?: boolean | undefined;
}

export const nothing: Content = {};
/** Longer texts are data. */
const longest = 4_000;
const most = 8;

export const textContent = (text: string): Content => ({ text: text.slice(0, longest) });

/** One behind the other. */
export function joined(parts: readonly Content[], between = ''): Content {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const isKnown = parts.every(({ text }) => text !== undefined);
  return {
    text: isKnown
      ? parts
          .map(({ text = '' }) => text)
          .join(between)
          .slice(0, longest)
      : undefined,
    ...origins(parts),
  };
}

/** Where contents come from, without what they are. */
export function origins(parts: readonly Content[]): Content {
  const urls = parts.flatMap((part) => part.urls ?? []).slice(0, most);
  const files = parts.flatMap((part) => part.files ?? []).slice(0, most);
  return {
    ...(urls.length > 0 && { urls }),
    ...(files.length > 0 && { files }),
    ...(parts.some(({ isStored }) => isStored) && { isStored: true }),
    ...(parts.some(({ isVerified }) => isVerified) && { isVerified: true }),
    ...(parts.some(({ isDecoded }) => isDecoded) && { isDecoded: true }),
    ...(parts.some(({ isSecret }) => isSecret) && { isSecret: true }),
  };
}
