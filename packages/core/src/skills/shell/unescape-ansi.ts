const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', e: '\u001B', a: '\u0007', b: '\b' };

/** What printf and `$'…'` make of escapes. */
export const unescapeAnsi = (text: string): string =>
  text.replaceAll(
    /\\(?:x([0-9a-fA-F]{1,2})|[uU]([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|([^]))/g,
    (
      _whole,
      hex: string | undefined,
      wide: string | undefined,
      octal: string | undefined,
      other: string | undefined,
    ) => {
      const digits = hex ?? wide;
      if (digits !== undefined) return String.fromCodePoint(Math.min(0x10_ffff, Number.parseInt(digits, 16)));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return letters[other ?? ''] ?? other ?? '';
    },
  );
