/** How many lines one text has and the other has not, wherever they stand. Takes time in proportion to the texts. */
export function countLineChanges(before: string, after: string): { readonly added: number; readonly removed: number } {
  const counts = new Map<string, number>();
  for (const line of linesOf(after)) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of linesOf(before)) counts.set(line, (counts.get(line) ?? 0) - 1);
  let [added, removed] = [0, 0];
  for (const count of counts.values()) {
    if (count > 0) added += count;
    else removed -= count;
  }
  return { added, removed };
}

const linesOf = (text: string): readonly string[] => text.split(/\r\n|\n|\r/);
