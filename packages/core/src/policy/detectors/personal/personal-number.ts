import { isPartOfGroups } from '../digit-groups.ts';
import type { PatternDetector } from '../detector.ts';

/** How a kind of number looks, and what makes one of them a real one. */
export interface PersonalNumber {
  readonly name: string;
  /** Word of placeholders: upper case, digits and underscores. */
  readonly type: string;
  readonly description: string;
  /** The written form that tells the number by itself, once its check holds. */
  readonly form?: string;
  /** A form that other numbers share: it counts only where one of `words` stands near. */
  readonly looseForm?: string;
  /** Words that announce the number, as an expression. */
  readonly words: string;
  /** True for a match that can have been issued. */
  readonly check: (match: string) => boolean;
}

/** A number with a check, in a form of its own. */
const sure = 0.95;
/** The form is shared with other numbers, but the text says what it is. */
const announced = 0.9;

const notInside = '(?<![\\p{L}\\d_=+/]|[.-]\\d{0,1})';
const notContinued = '(?![\\p{L}\\d_=]|[-./]\\d)';

/** Makes the detector of one kind of number: form first, then the check, then what stands around it. */
export function createNumberDetector(number: PersonalNumber): PatternDetector {
  const { name, type, description, form, looseForm, check } = number;
  const forms = [form, looseForm].filter((source) => source !== undefined);
  const ownForm = form === undefined ? undefined : new RegExp(`^(?:${form})$`, 'u');
  const words = new RegExp(`(?<!\\p{L})(?:${number.words})`, 'iu');
  return {
    kind: 'pattern',
    name,
    type,
    description,
    patterns: [{ regex: `${notInside}(?:${forms.join('|')})${notContinued}`, flags: 'u' }],
    validate(match, before, after) {
      if (!check(match) || isPartOfGroups(match, before, after)) return undefined;
      if (words.test(before) || words.test(after)) return announced;
      return ownForm?.test(match) === true ? sure : undefined;
    },
  };
}
