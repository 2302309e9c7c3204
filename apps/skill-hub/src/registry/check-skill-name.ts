import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { checkName } from './check-names.ts';

/** Writing systems whose letters stand in one word of one language. */
const together: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];
const scripts = (
  'Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Devanagari Bengali Tamil Telugu Thai Hangul Han Hiragana ' +
  'Katakana Bopomofo Ethiopic Khmer Cherokee'
)
  .split(' ')
  .map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const);

/** Letters of other alphabets that look like Latin ones. */
const latinLike = /^[аеорсухіјѕԁһӏԛԝАВЕКМНОРСТХІЈЅУοναιρυΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոհ]+$/u;

/**
 * The name under which a skill is submitted, in its normal form. Agents and admins know a skill by it, so what cannot be told from another
 * name by reading it is refused.
 * @throws {GatewayError} `bad_request` with what is wrong
 */
export function checkSkillName(field: string, value: string): string {
  const name = checkName(field, value);
  const other = Array.from(name).find((character) => character.normalize('NFKC') !== character);
  if (other !== undefined) {
    throw refuse(
      field,
      `holds ${shown(other)}, another form of "${other.normalize('NFKC')}" such as full width: write it plainly`,
    );
  }
  for (const word of name.split(/[^\p{L}\p{M}]+/u)) checkWord(field, word);
  return name;
}

function checkWord(field: string, word: string): void {
  const found = scripts.filter(([, letters]) => letters.test(word)).map(([script]) => script);
  const isOneLanguage =
    found.length < 2 || together.some((language) => found.every((script) => language.includes(script)));
  if (!isOneLanguage) {
    throw refuse(field, `mixes letters of ${found.join(' and ')} in "${word}", which reads like another name`);
  }
  if (latinLike.test(word)) {
    throw refuse(
      field,
      `has "${word}" in letters of ${found.join()} that look like Latin ones: it reads like another name`,
    );
  }
}

const shown = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const refuse = (field: string, rule: string) => new GatewayError('bad_request', { message: `${field} ${rule}` });
