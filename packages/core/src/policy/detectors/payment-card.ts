import { isPartOfGroups } from './digit-groups.ts';
import type { PatternDetector } from './detector.ts';

/** Lengths of the numbers of each network, by how they begin. */
const networks: readonly (readonly [begins: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720))/, [16]],
  [/^3[47]/, [15]],
  [/^(?:30[0-5]|3[689])/, [14, 16, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^(?:6011|64[4-9]|65)/, [16, 17, 18, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50|5[6-8]|6[0-9])/, [13, 14, 15, 16, 17, 18, 19]],
];

const luhnHolds = (digits: string): boolean => {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    sum += at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
};

const cardWords = /card|visa|master|amex|american express|credit|debit|cvc|cvv|expir|pan\b/i;

/** Numbers of payment cards: a network's beginning and length, and a check digit that agrees. */
export const paymentCard: PatternDetector = {
  kind: 'pattern',
  name: 'payment-card',
  type: 'PAYMENT_CARD',
  description: 'Card numbers of the large networks, verified by length and check digit (Luhn)',
  patterns: ['(?<![\\w.])[2-6](?:[ -]?\\d){12,18}(?![\\w-])'],
  validate(match, before, after) {
    const digits = match.replaceAll(/\D/g, '');
    const known = networks.some(([begins, lengths]) => begins.test(digits) && lengths.includes(digits.length));
    if (!known || !luhnHolds(digits) || new Set(digits).size < 2) return undefined;
    if (isPartOfGroups(match, before, after)) return undefined;
    return cardWords.test(before) || cardWords.test(after) ? 0.99 : 0.9;
  },
};
