import type { IdSpan } from './audit-conditions.ts';
import type { BlockCount } from './audit-counts.ts';
import { blockSpan } from './audit-spans.ts';

/** The blocks of a page, and how many of their records come before it. */
export interface PageBlocks extends IdSpan {
  readonly offset: number;
}

/** Newest first; undefined when the list ends before the page. */
export function findPageBlocks(
  counts: readonly BlockCount[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): PageBlocks | undefined {
  let passed = 0;
  let first: PageBlocks | undefined;
  let last: IdSpan | undefined;
  for (const { block, count } of sumByBlock(counts)) {
    if (passed >= offset + limit) break;
    last = blockSpan(block);
    if (first === undefined && passed + count > offset) first = { ...last, offset: offset - passed };
    passed += count;
  }
  return first && { ...first, after: last?.after ?? first.after };
}

/** A block that the records of two spans were counted in comes twice. */
function sumByBlock(counts: readonly BlockCount[]): readonly BlockCount[] {
  const blocks = Map.groupBy(counts, ({ block }) => block);
  return [...blocks]
    .map(([block, same]) => ({ block, count: same.reduce((sum, { count }) => sum + count, 0) }))
    .toSorted((a, b) => b.block - a.block);
}
