/** Names told at most. */
const maxNear = 3;
/** Longer names are cut before they are compared, which keeps a comparison short. */
const maxLength = 64;

/** Edits from one text to the other: characters put in, left out, exchanged, or two in a row swapped. */
export function countEdits(a: string, b: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= b.length; at += 1) {
      const isSame = a[row - 1] === b[at - 1];
      let edits = Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + (isSame ? 0 : 1));
      const isSwap = row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1];
      if (isSwap) edits = Math.min(edits, (before[at - 2] ?? 0) + 1);
      next.push(edits);
    }
    [before, last] = [last, next];
  }
  return last[b.length] ?? 0;
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '-')
    .slice(0, maxLength);

/** The names among those known that the writer of this one may have meant, the nearest first. */
export function findNearNames(name: string, known: Iterable<string>): readonly string[] {
  const written = plain(name);
  const most = Math.max(1, Math.floor(written.length / 3));
  const near: { readonly name: string; readonly edits: number }[] = [];
  for (const candidate of known) {
    const other = plain(candidate);
    const isPart = written.length >= 3 && other.length >= 3 && (other.includes(written) || written.includes(other));
    const edits = Math.abs(other.length - written.length) > most ? most + 1 : countEdits(written, other);
    // A letter in place of the only one is another name.
    if (edits <= most && edits < written.length) near.push({ name: candidate, edits });
    else if (isPart) near.push({ name: candidate, edits: most + 1 });
  }
  return near
    .toSorted((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, maxNear)
    .map((found) => found.name);
}

/** "; did you mean "a" or "b"?", or nothing where no name is near. */
export function suggestNames(name: string, known: Iterable<string>): string {
  const near = findNearNames(name, known).map((one) => JSON.stringify(one));
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}
