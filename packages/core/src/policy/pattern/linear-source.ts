import type { CharSet } from './char-set.ts';
import type { CharSyntax, EdgeSyntax, Syntax } from './syntax.ts';

/** Thrown when the linear engine has no word for a construct. The message is a sentence for the author. */
export class NotLinear extends Error {}

const hex = (point: number): string => `\\x{${point.toString(16)}}`;
const lastAstral = 0x10_ffff;

/**
 * The pattern in the dialect of RE2, where sets are spelled out so that both engines agree on what
 * `\s`, `.` and letter case mean. It reads code points where the pattern reads UTF-16 units, so a
 * set with all surrogates takes in everything beyond the basic plane. Throws `NotLinear`.
 */
export function renderLinear(node: Syntax): string {
  switch (node.kind) {
    case 'char':
      return renderSet(node);
    case 'sequence':
      return node.items.map(renderLinear).join('');
    case 'choice':
      return `(?:${node.branches.map(renderLinear).join('|')})`;
    case 'repeat': {
      const { min, max, greedy } = node;
      const count = max === Infinity ? `{${min},}` : `{${min},${max}}`;
      return `(?:${renderLinear(node.body)})${count}${greedy ? '' : '?'}`;
    }
    case 'edge':
      return renderEdge(node);
    case 'look':
      throw new NotLinear('uses a lookaround, which only the native engine knows');
  }
}

function renderSet(node: CharSyntax): string {
  const ranges = [...node.set, ...astralRanges(node)];
  return `[${ranges.map(([first, last]) => `${hex(first)}-${hex(last)}`).join('')}]`;
}

const astralRanges = (node: CharSyntax): CharSet =>
  coversSurrogates(node.set) && node.astral.length === 0 ? [[0x1_0000, lastAstral]] : node.astral;

const coversSurrogates = (set: CharSet): boolean => set.some(([first, last]) => first <= 0xd800 && last >= 0xdfff);

function renderEdge({ edge }: EdgeSyntax): string {
  switch (edge) {
    case 'text-start':
      return '\\A';
    case 'text-end':
      return '\\z';
    case 'line-start':
      return '(?m:^)';
    case 'line-end':
      return '(?m:$)';
    case 'word':
      return '\\b';
    case 'not-word':
      return '\\B';
  }
}
