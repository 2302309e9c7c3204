import type { LookSyntax, Syntax } from './syntax.ts';

/** True at the very end of what has arrived, whatever the flags. */
const end = '(?![^])';

/**
 * The pattern's partial form, for a text whose rest has not arrived: at the end of what is there,
 * every character that is still missing is taken as given. So the partial form, tried at a place,
 * - fails when no continuation of the text can make the pattern match there,
 * - matches up to a point before the end when that is the match whatever comes, and
 * - matches up to the very end when it depends on what comes.
 * Alternatives keep their order, so a match found early is the one the pattern itself would find.
 */
export function renderPartial(node: Syntax): string {
  switch (node.kind) {
    case 'char':
      return `(?:${node.raw}|${end})`;
    case 'sequence':
      return node.items.map(renderPartial).join('');
    case 'choice':
      return `${node.open}${node.branches.map(renderPartial).join('|')})`;
    case 'repeat': {
      const { min, max, greedy } = node;
      const count = `{${min},${max === Infinity ? '' : max}}${greedy ? '' : '?'}`;
      // A greedy repetition that reaches the end might go on; an engine would not try an empty turn.
      return `(?:${renderPartial(node.body)})${count}${greedy ? `(?:${end})?` : ''}`;
    }
    case 'edge':
      return `(?:${node.raw}|${end})`;
    case 'look':
      return renderLook(node);
  }
}

/**
 * A lookbehind at the end may stand behind characters that are still missing. A lookahead that reads
 * up to the end is undecided: then the rest of the text is swallowed, so that the match as a whole
 * reaches the end and counts as depending on what comes.
 */
function renderLook({ body, behind, negated }: LookSyntax): string {
  const plain = `(?${behind ? '<' : ''}${negated ? '!' : '='}${renderPlain(body)})`;
  return behind ? `(?:${plain}|${end})` : `(?:(?=${renderPartial(body)}${end})[^]*|${plain})`;
}

/** The pattern itself, from its syntax. */
function renderPlain(node: Syntax): string {
  switch (node.kind) {
    case 'char':
    case 'edge':
      return node.raw;
    case 'sequence':
      return node.items.map(renderPlain).join('');
    case 'choice':
      return `${node.open}${node.branches.map(renderPlain).join('|')})`;
    case 'repeat': {
      const count = `{${node.min},${node.max === Infinity ? '' : node.max}}${node.greedy ? '' : '?'}`;
      return `(?:${renderPlain(node.body)})${count}`;
    }
    case 'look':
      return `(?${node.behind ? '<' : ''}${node.negated ? '!' : '='}${renderPlain(node.body)})`;
  }
}
