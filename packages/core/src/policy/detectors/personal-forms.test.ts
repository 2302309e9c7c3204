import { describe, expect, test } from '@jest/globals';
import { detectorCatalogue } from '../plan/detector-catalogue.ts';
import { compilePolicies } from '../compile/compile-policies.ts';
import { paymentRules, contactRules, americanNumberRules } from '../builtin/rules/personal-rules.ts';

const plan = compilePolicies([
  {
    name: 'personal',
    version: '1',
    description: '',
    severity: 'High',
    policy_type: 'both',
    rules: [...paymentRules, ...contactRules, ...americanNumberRules],
  },
]);
const typesIn = (text: string): readonly string[] => [
  ...new Set(plan.scan(text, { direction: 'request', protocol: 'llm' }).map(({ type }) => type)),
];

/** Digits of a length that begin as given and end in what Luhn asks for. */
function numbered(begins: string, length: number, seed: number): string {
  let state = seed;
  let body = begins;
  while (body.length < length - 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    body += String(state >>> 28 > 9 ? (state >>> 20) & 7 : state >>> 28);
  }
  const sum = Array.from(body, Number)
    .toReversed()
    .reduce((total, digit, at) => total + (at % 2 === 1 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return body + String((10 - (sum % 10)) % 10);
}

const networks: readonly (readonly [network: string, begins: string, lengths: readonly number[]])[] = [
  ['Visa', '4', [13, 16, 18, 19]],
  ['Mastercard', '2221', [16]],
  ['Mastercard', '2720', [16]],
  ['Mastercard', '55', [16]],
  ['American Express', '37', [15]],
  ['Diners Club', '36', [14, 16, 19]],
  ['Diners Club enRoute', '2149', [15]],
  ['Discover', '6011', [16, 19]],
  ['JCB', '3589', [16, 19]],
  ['JCB, older', '1800', [15]],
  ['UnionPay', '62', [16, 17, 18, 19]],
  ['UnionPay', '81', [16]],
  ['T-Union', '31', [19]],
  ['Maestro', '6759', [12, 13, 14, 15, 16, 17, 18, 19]],
  ['Maestro', '5020', [12, 19]],
  ['Dankort', '5019', [16]],
  ['InstaPayment', '637', [16]],
  ['RuPay', '82', [16]],
  ['Mir', '2200', [16, 19]],
  ['Troy', '9792', [16]],
  ['Verve', '506099', [16, 19]],
  ['Elo', '636297', [16]],
  ['UzCard', '8600', [16]],
  ['Humo', '9860', [16]],
  ['Napas', '9704', [16, 19]],
];

describe('payment cards', () => {
  test.each(networks)('of %s that begin with %s are found in all their lengths', (_network, begins, lengths) => {
    for (const length of lengths) {
      for (const seed of [1, 2, 3]) {
        const digits = numbered(begins, length, seed);
        const wrong = digits.slice(0, -1) + String((Number(digits.at(-1)) + 1) % 10);
        expect([digits, typesIn(`Paid by ${digits} today.`)]).toEqual([digits, ['PAYMENT_CARD']]);
        expect([wrong, typesIn(`Paid by ${wrong} today.`).includes('PAYMENT_CARD')]).toEqual([wrong, false]);
      }
    }
  });

  test('of any other issuer count where the text says card, from 12 digits to 19', () => {
    for (const length of [12, 13, 15, 16, 19]) {
      const digits = numbered('7', length, 5);
      expect(typesIn(`the fuel card ${digits} was lost`)).toEqual(['PAYMENT_CARD']);
      expect(typesIn(`parcel ${digits} was lost`)).toEqual([]);
    }
    expect(typesIn(`the fuel card ${numbered('7', 11, 5)} was lost`)).toEqual([]);
  });
});

test('account numbers are found in lower case, in one piece and in groups, and of all countries', () => {
  for (const text of [
    'de89370400440532013000',
    'gb29 nwbk 6016 1331 9268 19',
    'Fr14 2004 1010 0505 0001 3M02 606',
    'ma64011519000001205000534921',
  ]) {
    expect([text, typesIn(`to ${text}, please`)]).toEqual([text, ['IBAN']]);
  }
  for (const text of [
    'de88370400440532013000',
    'de893704004405320130',
    'zz89370400440532013000',
    'abde89370400440532013000',
  ]) {
    expect([text, typesIn(`to ${text}, please`)]).toEqual([text, []]);
  }
});

describe('telephone numbers', () => {
  test('in a shape that few other numbers have need no word', () => {
    for (const text of [
      '06 12 34 56 78',
      '01.42.68.53.00',
      '(11) 98765-4321',
      '138 0013 8000',
      '212-736-5000',
      '030/901820',
      '+81 3-3211-1511',
    ]) {
      expect([text, typesIn(`It was ${text} all along.`)]).toEqual([text, ['PHONE']]);
    }
  });

  test('are no social security numbers, whatever is said of those', () => {
    for (const text of ['my number is 536-22-8145', 'call about 536 22 8145', 'contact 612-34-5678']) {
      expect([text, typesIn(text).includes('PHONE')]).toEqual([text, false]);
    }
  });

  test('are no dates, versions, sums or parts of longer numbers', () => {
    for (const text of [
      'on 06.12.2034',
      'from 10 20 30 40 50 60 70',
      'at 1 234 567.89',
      'ISBN 978-3-16-148410-0',
      '2024-01-15 10:30:45',
    ]) {
      expect([text, typesIn(`It was ${text} all along.`)]).toEqual([text, []]);
    }
  });
});

test('placeholders keep their words', () => {
  expect(['payment-card', 'iban', 'phone', 'email'].map((name) => detectorCatalogue.get(name)?.type)).toEqual([
    'PAYMENT_CARD',
    'IBAN',
    'PHONE',
    'EMAIL',
  ]);
});
