import { digitsOf, isDate, isOneDigit, luhn, numberAt, weighted } from '../checksums.ts';
import type { PersonalNumber } from './personal-number.ts';

const checkedBy = (check: (digits: readonly number[]) => boolean) => (match: string) => {
  const digits = digitsOf(match);
  return !isOneDigit(digits) && check(digits);
};

/** Numbers that stood on sample cards and in advertisements. */
const famousSsn = new Set(['078051120', '219099999', '457555462']);
const ssn = (match: string): boolean => {
  const digits = match.replaceAll(/\D/g, '');
  const [area, group, serial] = [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)];
  return (
    area !== '000' && area !== '666' && area[0] !== '9' && group !== '00' && serial !== '0000' && !famousSsn.has(digits)
  );
};
const itin = (digits: readonly number[]): boolean => {
  const group = numberAt(digits, 3, 2);
  return (
    digits[0] === 9 && ((group >= 50 && group <= 65) || (group >= 70 && group <= 88) || (group >= 90 && group !== 93))
  );
};
const aba = (digits: readonly number[]): boolean => weighted(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0;
const npi = (digits: readonly number[]): boolean => luhn([8, 0, 8, 4, 0, ...digits]);
const dea = (match: string): boolean => {
  const digits = digitsOf(match.slice(2));
  const sum = weighted(digits, [1, 0, 1, 0, 1]) + 2 * weighted(digits, [0, 1, 0, 1, 0, 1]);
  return sum % 10 === digits[6];
};

/** One check digit behind the digits before it, as Brazil computes them: 11 less the remainder, 10 and 11 being 0. */
const brazilian = (digits: readonly number[], weights: readonly number[]): boolean => {
  const rest = weighted(digits, weights) % 11;
  return (rest < 2 ? 0 : 11 - rest) === digits[weights.length];
};
const cpf = (digits: readonly number[]): boolean =>
  brazilian(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) && brazilian(digits, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
const cnpj = (digits: readonly number[]): boolean =>
  brazilian(digits, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) && brazilian(digits, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);

const cuit = (digits: readonly number[]): boolean => {
  const rest = 11 - (weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11);
  return (rest === 11 ? 0 : rest) === digits[10];
};
const rut = (match: string): boolean => {
  const text = match.replaceAll(/[.-]/g, '').toUpperCase();
  const body = digitsOf(text.slice(0, -1)).toReversed();
  const rest = 11 - (weighted(body, [2, 3, 4, 5, 6, 7, 2, 3, 4]) % 11);
  return (rest === 11 ? '0' : rest === 10 ? 'K' : String(rest)) === text.at(-1);
};
const curpLetters = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';
const curp = (match: string): boolean => {
  let sum = 0;
  for (let at = 0; at < 17; at += 1) sum += curpLetters.indexOf(match[at] ?? '') * (18 - at);
  return (10 - (sum % 10)) % 10 === Number(match[17]);
};

/** Numbers that American states give to people. */
export const americanNumbers: readonly PersonalNumber[] = [
  {
    name: 'us-ssn',
    type: 'US_SSN',
    description: 'US social security number by its issuing rules',
    form: '(?!123-45-6789|987-65-4321)\\d{3}-\\d{2}-\\d{4}',
    looseForm: '\\d{3} \\d{2} \\d{4}|\\d{9}|123-45-6789',
    words: 'ssn|social security|soc\\.? sec|ss#',
    check: ssn,
  },
  {
    name: 'us-itin',
    type: 'US_ITIN',
    description: 'US individual taxpayer number',
    form: '9\\d{2}-\\d{2}-\\d{4}',
    looseForm: '9\\d{8}',
    words: 'itin|taxpayer',
    check: checkedBy(itin),
  },
  {
    name: 'us-ein',
    type: 'US_EIN',
    description: 'US employer number',
    looseForm: '\\d{2}-\\d{7}',
    words: 'ein|employer id|fein|federal tax',
    check: () => true,
  },
  {
    name: 'us-npi',
    type: 'US_NPI',
    description: 'US provider number (Luhn)',
    looseForm: '[12]\\d{9}',
    words: 'npi|national provider',
    check: checkedBy(npi),
  },
  {
    name: 'us-dea',
    type: 'US_DEA',
    description: 'US DEA number of a prescriber',
    looseForm: '[ABCDEFGHJKLMPRSTUX][A-Z9]\\d{7}',
    words: 'dea',
    check: dea,
  },
  {
    name: 'us-routing-number',
    type: 'US_ROUTING_NUMBER',
    description: 'US bank routing number',
    looseForm: '\\d{9}',
    words: 'routing|aba|rtn',
    check: checkedBy(aba),
  },
  {
    name: 'us-passport',
    type: 'US_PASSPORT',
    description: 'US passport number',
    looseForm: '[A-Z]\\d{8}|\\d{9}',
    words: 'passport',
    check: () => true,
  },
  {
    name: 'us-medicare',
    type: 'US_MEDICARE',
    description: 'US Medicare beneficiary identifier',
    form: '[1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y]\\d-[AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y]\\d-[AC-HJKMNP-RT-Y]{2}\\d{2}',
    words: 'medicare|mbi',
    check: () => true,
  },
  {
    name: 'ca-sin',
    type: 'CA_SIN',
    description: 'Canadian social insurance number (Luhn)',
    looseForm: '\\d{3}[ -]?\\d{3}[ -]?\\d{3}',
    words: 'sin|social insurance|nas',
    check: checkedBy(luhn),
  },
  {
    name: 'br-cpf',
    type: 'BR_CPF',
    description: 'Brazilian CPF (two check digits)',
    form: '\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}',
    looseForm: '\\d{11}',
    words: 'cpf',
    check: checkedBy(cpf),
  },
  {
    name: 'br-cnpj',
    type: 'BR_CNPJ',
    description: 'Brazilian CNPJ (two check digits)',
    form: '\\d{2}\\.\\d{3}\\.\\d{3}/\\d{4}-\\d{2}',
    looseForm: '\\d{14}',
    words: 'cnpj',
    check: checkedBy(cnpj),
  },
  {
    name: 'ar-cuit',
    type: 'AR_CUIT',
    description: 'Argentine CUIT or CUIL (mod 11)',
    form: '(?:20|23|24|27|30|33|34)-\\d{8}-\\d',
    looseForm: '(?:20|23|24|27|30|33|34)\\d{9}',
    words: 'cui[tl]',
    check: checkedBy(cuit),
  },
  {
    name: 'cl-rut',
    type: 'CL_RUT',
    description: 'Chilean RUT (mod 11)',
    form: '\\d{1,2}\\.\\d{3}\\.\\d{3}-[\\dKk]',
    looseForm: '\\d{7,8}-[\\dKk]',
    words: 'rut|run',
    check: rut,
  },
  {
    name: 'mx-curp',
    type: 'MX_CURP',
    description: 'Mexican CURP with its check digit',
    form: '[A-Z][AEIOUX][A-Z]{2}\\d{6}[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[A-Z0-9]\\d',
    words: 'curp',
    check: (match) => curp(match) && isDate(0, numberAt(digitsOf(match), 2, 2), numberAt(digitsOf(match), 4, 2)),
  },
];
