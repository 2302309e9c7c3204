/** What is written in the place of a secret, so that nobody takes it for one. */
const placeholderWords =
  /example|placeholder|your|dummy|redact|changeme|change_me|insert|replace|sample|notreal|not[-_]real|fake[-_]|[-_]fake|todo|lorem|deadbeef|cafebabe|foobar|masked|removed|hidden|invalid|template/i;

/** The longest run of one character, and of some that count up or down; how often the most frequent one stands there; how many there are. */
function regularityOf(text: string): { same: number; counted: number; most: number; different: number } {
  let same = 1;
  let up = 1;
  let down = 1;
  let [longestSame, longestCounted] = [1, 1];
  const counts = new Map<number, number>();
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
    const step = at === 0 ? Number.NaN : unit - text.charCodeAt(at - 1);
    same = step === 0 ? same + 1 : 1;
    up = step === 1 ? up + 1 : 1;
    down = step === -1 ? down + 1 : 1;
    longestSame = Math.max(longestSame, same);
    longestCounted = Math.max(longestCounted, up, down);
  }
  return { same: longestSame, counted: longestCounted, most: Math.max(0, ...counts.values()), different: counts.size };
}

/**
 * True for what stands for a token and is none: words that say so, one character again and again, the alphabet. `body` is the token
 * without what it begins with.
 */
export function isFiller(body: string): boolean {
  if (placeholderWords.test(body) || /x{4}|X{4}/.test(body)) return true;
  const { same, counted, most, different } = regularityOf(body);
  if (same >= Math.max(6, body.length / 3) || counted >= 9) return true;
  return body.length >= 12 && (different <= 4 || most > body.length / 2);
}

/** Bits of a character, as often as each occurs. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Short texts cannot have as many bits a character as long ones: of sixteen characters, four at most. */
const leastBits = (length: number): number => Math.min(3.4, 0.72 * Math.log2(Math.max(2, length)));
const hexadecimal = /^[0-9a-f]+$/i;
/** So many characters of 16 have fewer bits each. */
const leastBitsOfHex = 2.7;

/** How many times a text changes between letters and digits, and between the cases other than at the beginning of a word. */
function turnsOf(text: string): { digits: number; cases: number } {
  const digits = text.match(/(?<=[A-Za-z])\d|(?<=\d)[A-Za-z]/g)?.length ?? 0;
  const cases = text.match(/(?<=[a-z])[A-Z](?![a-z])|(?<=[A-Z])[a-z](?=[A-Z])/g)?.length ?? 0;
  return { digits, cases };
}

/**
 * Words of letters with numbers behind them, and names as programs have them: nothing that was drawn by lot. What may come next is
 * told by one character, so that no text makes the engine go back and forth.
 */
const identifier = /^[A-Za-z]{2,}(?:(?<=[A-Za-z])\d+|(?<=\d)[A-Za-z]{2,}|[-_./:](?:[A-Za-z]{2,}|\d+))*$/;
const separated =
  /^(?:[a-z]{2,}|[A-Z]{2,}|[A-Z][a-z]+|\d{1,4})(?:[-_./: ](?:[a-z]{1,}|[A-Z]{1,}|[A-Z][a-z]+|v?\d{1,4}))*$/;

/** What was drawn by lot turns at least once in so many characters. */
const turnsApart = 8;

/**
 * True for a value that was drawn by lot, as far as one can tell from its characters: no word, no name, no number. With fewer turns
 * asked for, that is left to what else is known of it.
 */
export function isRandom(value: string, leastTurns = 3): boolean {
  if (isFiller(value)) return false;
  const { digits, cases } = turnsOf(value);
  if (separated.test(value) || (digits + cases < leastTurns && identifier.test(value))) return false;
  if (digits + cases < Math.max(leastTurns, leastTurns < 3 ? 0 : value.length / turnsApart)) return false;
  const bits = entropyOf(value);
  return hexadecimal.test(value) ? bits >= leastBitsOfHex : bits >= leastBits(value.length);
}
