import { endOfString } from './visit-json-source.ts';

const structure = /["{}[\],]/g;

/**
 * The JSON source with some elements of one list taken out, and all others byte for byte as they stand.
 * @param list offsets of the list in the source, brackets included
 * @param keep handed the place of each element in the list
 */
export function removeElements(
  source: string,
  list: { readonly start: number; readonly end: number },
  keep: (index: number) => boolean,
): string {
  const kept = elementsOf(source, list).filter((_, index) => keep(index));
  return `${source.slice(0, list.start + 1)}${kept.join(',')}${source.slice(list.end - 1)}`;
}

/** The elements with the white space around them. */
function elementsOf(source: string, { start, end }: { readonly start: number; readonly end: number }): string[] {
  const elements: string[] = [];
  let depth = 0;
  let from = start + 1;
  structure.lastIndex = from;
  for (let found = structure.exec(source); found !== null && found.index < end - 1; found = structure.exec(source)) {
    const [sign] = found;
    if (sign === '"') structure.lastIndex = endOfString(source, found.index);
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    else if (depth === 0) {
      elements.push(source.slice(from, found.index));
      from = found.index + 1;
    }
  }
  elements.push(source.slice(from, end - 1));
  return elements;
}
