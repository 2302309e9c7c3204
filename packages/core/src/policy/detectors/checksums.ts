/*
 * Check digits as the issuers of numbers define them. Digits come as numbers, without separators; every
 * function answers whether the last digit or digits confirm the others.
 */

let lastText = '';
let lastDigits: readonly number[] = [];

/** The digits of a text. The same number is often checked as one of many kinds, so the last answer is kept. */
export function digitsOf(text: string): readonly number[] {
  if (text === lastText) return lastDigits;
  const digits: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0 && digit <= 9) digits.push(digit);
  }
  lastText = text;
  lastDigits = digits;
  return digits;
}

/** Sum of the digits, each times its weight; weights beyond the digits are not used. */
export const weighted = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * (digits[at] ?? 0), 0);

/** Every second digit from the right doubled: cards, and many national numbers. */
export function luhn(digits: readonly number[]): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits[digits.length - 1 - at] ?? 0;
    const doubled = at % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 1 && sum % 10 === 0;
}

/** Remainder of a long decimal number. */
export const remainder = (digits: readonly number[], modulus: number): number =>
  digits.reduce((rest, digit) => (rest * 10 + digit) % modulus, 0);

/** ISO 7064 MOD 11,10. */
export function mod1110(digits: readonly number[]): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (digit + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === digits.at(-1);
}

const verhoeffProduct = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
].map((row) => Array.from(row, Number));
const verhoeffPermutation = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
].map((row) => Array.from(row, Number));

export const verhoeff = (digits: readonly number[]): boolean =>
  digits.toReversed().reduce((check, digit, at) => {
    const permuted = verhoeffPermutation[at % 8]?.[digit] ?? 0;
    return verhoeffProduct[check]?.[permuted] ?? 0;
  }, 0) === 0;

/** True when all digits are one, as in numbers that forms are filled with. */
export const isOneDigit = (digits: readonly number[]): boolean => digits.every((digit) => digit === digits[0]);

/** True when year (two digits or four), month and day can be a day of the calendar. */
export const isDate = (year: number, month: number, day: number): boolean =>
  year >= 0 &&
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  day <= ([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0);

/** The number that some of the digits write. */
export const numberAt = (digits: readonly number[], from: number, length: number): number =>
  digits.slice(from, from + length).reduce((number, digit) => number * 10 + digit, 0);
