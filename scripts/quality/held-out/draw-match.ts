import {
  contains,
  intersection,
  size,
  unitsOf,
  type CharSet,
} from '../../../packages/core/src/policy/pattern/char-set.ts';
import { parseRegex, toSyntax } from '../../../packages/core/src/policy/pattern/parse-syntax.ts';
import type { Syntax } from '../../../packages/core/src/policy/pattern/syntax.ts';
import type { Dice } from '../../../packages/detector-training/src/corpus/seeded.ts';

const lettersAndDigits: CharSet = [
  [48, 57],
  [65, 90],
  [97, 122],
];
const printable: CharSet = [[32, 126]];

/** One of the characters that people would take: a letter or a digit if the set has any. */
function drawChar(set: CharSet, dice: Dice): string {
  const some = [intersection(set, lettersAndDigits), intersection(set, printable), set].find(
    (chars) => chars.length > 0,
  );
  const units = [...unitsOf(some ?? [[32, 32]])];
  return String.fromCharCode(dice.pick(units));
}

/** How long what may be of any length is drawn. */
const openLength = 24;

const equals = 61;
const colon = 58;

/** An equals sign or a colon, which stand in assignments far more often than what else an expression allows for. */
const isSign = (node: Syntax): boolean => {
  if (node.kind === 'sequence' && node.items.length === 1) return node.items.every(isSign);
  return node.kind === 'char' && size(node.set) === 1 && (contains(node.set, equals) || contains(node.set, colon));
};

const blank = 32;
/** A set of blanks alone, of any kind. */
const isBlank = (set: CharSet): boolean => contains(set, blank) && intersection(set, [[33, 126]]).length === 0;

function draw(node: Syntax, dice: Dice): string {
  switch (node.kind) {
    case 'char':
      return drawChar(node.set, dice);
    case 'sequence':
      return node.items.map((item) => draw(item, dice)).join('');
    case 'choice': {
      const signs = node.branches.filter(isSign);
      return draw(dice.pick(signs.length > 0 ? signs : node.branches), dice);
    }
    case 'repeat':
      // What may be left out is. Where anything at all may stand between two words, what stands there is an assignment.
      if (node.min === 0 && node.body.kind === 'char' && contains(node.body.set, equals) && contains(node.body.set, 32))
        return ' = ';
      // Blanks are one blank: people write no columns of them before a value.
      if (node.body.kind === 'char' && node.max === Infinity && isBlank(node.body.set)) return ' ';
      // What may go on without end goes on for a while: one character is no secret.
      return Array.from({ length: node.max === Infinity ? Math.max(node.min, openLength) : node.min }, () =>
        draw(node.body, dice),
      ).join('');
    case 'edge':
    case 'look':
      return '';
  }
}

/** Texts that a pattern of anybody's matches, drawn by lot; none where it asks for what stands around it. */
export function drawMatches(source: string, flags: string, count: number, dice: Dice): readonly string[] {
  // In the letter case that it is written in, whatever it ignores.
  const written = flags.replace('i', '');
  const syntax = toSyntax(parseRegex(source, written), written);
  const pattern = new RegExp(source, flags);
  return Array.from({ length: count * 3 }, () => draw(syntax, dice).trim())
    .filter((text) => text.length >= 8 && pattern.test(text))
    .slice(0, count);
}
