/** Each round undoes one layer of escapes; a client that writes more of them wants something. */
const maxRounds = 8;

/** Dots and slashes in more bytes than they need, and in the escapes of old servers. */
const oddEscapes: readonly (readonly [pattern: RegExp, character: string])[] = [
  [/%(?:c0%ae|e0%80%ae|u002e)/gi, '.'],
  [/%(?:c0%af|e0%80%af|u002f)/gi, '/'],
  [/%(?:c1%9c|u005c)/gi, '\\'],
];

const escapes = /(?:%[0-9a-f]{2})+/gi;

/**
 * The path as readers take it that decode again and again; undefined when it still has escapes after as many
 * rounds as are tried. Escapes that are no characters stay as they are.
 */
export function decodePath(path: string): string | undefined {
  let read = path;
  for (let round = 0; round < maxRounds; round += 1) {
    if (!read.includes('%')) return read;
    const decoded = oddEscapes
      .reduce((text, [pattern, character]) => text.replaceAll(pattern, character), read)
      .replaceAll(escapes, decodeRun);
    if (decoded === read) return read;
    read = decoded;
  }
  return undefined;
}

function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    // One character at a time, so that one that is none hides no other.
    return run.replaceAll(/%[0-7][0-9a-f]/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
  }
}
