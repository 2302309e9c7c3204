import { digitsOf, isDate, isOneDigit, luhn, numberAt, verhoeff, weighted } from '../checksums.ts';
import type { PersonalNumber } from './personal-number.ts';

const checkedBy = (check: (digits: readonly number[]) => boolean) => (match: string) => {
  const digits = digitsOf(match);
  return !isOneDigit(digits) && check(digits);
};
const last = (digits: readonly number[]): number => digits.at(-1) ?? 0;

const taiwanLetters = 'ABCDEFGHJKLMNPQRSTUVXYWZIO';
const taiwanese = (match: string): boolean => {
  const code = taiwanLetters.indexOf(match[0] ?? '') + 10;
  const digits = [Math.floor(code / 10), code % 10, ...digitsOf(match)];
  return weighted(digits, [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0;
};

const myNumber = (digits: readonly number[]): boolean => {
  const rest = weighted(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest <= 1 ? 0 : 11 - rest) === last(digits);
};

const chinese = (match: string): boolean => {
  const digits = digitsOf(match.slice(0, 17));
  const sum = weighted(digits, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
  const year = numberAt(digits, 6, 4);
  const birth = year >= 1900 && year < 2100 && isDate(year, numberAt(digits, 10, 2), numberAt(digits, 12, 2));
  return birth && '10X98765432'[sum % 11] === match.at(-1)?.toUpperCase();
};

/** Numbers given since October 2020 carry no check digit, so date and century decide. */
const korean = (digits: readonly number[]): boolean =>
  isDate(0, numberAt(digits, 2, 2), numberAt(digits, 4, 2)) && (digits[6] ?? 0) >= 1 && (digits[6] ?? 0) <= 8;

const singaporean = (match: string): boolean => {
  const first = match[0] ?? '';
  const offset = first === 'T' || first === 'G' ? 4 : first === 'M' ? 3 : 0;
  const rest = (weighted(digitsOf(match), [2, 7, 6, 5, 4, 3, 2]) + offset) % 11;
  if (first === 'S' || first === 'T') return 'JZIHGFEDCBA'[rest] === match.at(-1);
  return (first === 'M' ? 'XWUTRQPNJLK' : 'XWUTRQPNMLK')[rest] === match.at(-1);
};

const hongKong = (match: string): boolean => {
  const text = match.replaceAll(/[()]/g, '');
  const values = Array.from(text.padStart(9, ' '), (unit) => (unit === ' ' ? 36 : parseInt(unit, 36)));
  return values.reduce((sum, value, at) => sum + value * (9 - at), 0) % 11 === 0;
};

const tfn = (digits: readonly number[]): boolean => weighted(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;
const abn = (digits: readonly number[]): boolean =>
  weighted([(digits[0] ?? 0) - 1, ...digits.slice(1)], [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) % 89 === 0;
const medicare = (digits: readonly number[]): boolean => weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === digits[8];

const ird = (digits: readonly number[]): boolean => {
  const padded = [...(digits.length === 8 ? [0] : []), ...digits];
  const sum = (weights: readonly number[]) => (11 - (weighted(padded, weights) % 11)) % 11;
  const first = sum([3, 2, 7, 6, 5, 4, 3, 2]);
  return (first === 10 ? sum([7, 4, 3, 2, 5, 2, 7, 6]) : first) === last(padded);
};

const thai = (digits: readonly number[]): boolean =>
  (11 - (weighted(digits, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === last(digits);

const indonesian = (digits: readonly number[]): boolean =>
  isDate(0, numberAt(digits, 8, 2), numberAt(digits, 6, 2) % 40) && numberAt(digits, 0, 2) >= 11;

const gstin = (match: string): boolean => {
  const symbols = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  let sum = 0;
  for (let at = 0; at < 14; at += 1) {
    const product = symbols.indexOf(match[at] ?? '') * (at % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return symbols[(36 - (sum % 36)) % 36] === match[14];
};

const turkish = (digits: readonly number[]): boolean => {
  const odd = weighted(digits, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const even = weighted(digits, [0, 1, 0, 1, 0, 1, 0, 1]);
  const tenth = (((odd * 7 - even) % 10) + 10) % 10;
  return (
    digits[0] !== 0 &&
    tenth === digits[9] &&
    digits.slice(0, 10).reduce((sum, digit) => sum + digit, 0) % 10 === digits[10]
  );
};

/** Numbers that states of Asia, the Pacific and Africa give to people. */
export const otherNumbers: readonly PersonalNumber[] = [
  {
    name: 'in-aadhaar',
    type: 'IN_AADHAAR',
    description: 'Indian Aadhaar number (Verhoeff)',
    form: '[2-9]\\d{3} \\d{4} \\d{4}',
    looseForm: '[2-9]\\d{3}-\\d{4}-\\d{4}|[2-9]\\d{11}',
    words: 'aadha?ar|uidai|uid|आधार',
    check: checkedBy(verhoeff),
  },
  {
    name: 'in-pan',
    type: 'IN_PAN',
    description: 'Indian permanent account number',
    form: '[A-Z]{3}[PCHABGJLFT][A-Z]\\d{4}[A-Z]',
    words: 'pan',
    check: () => true,
  },
  {
    name: 'in-gstin',
    type: 'IN_GSTIN',
    description: 'Indian GST number with its check character',
    form: '\\d{2}[A-Z]{5}\\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]',
    words: 'gst',
    check: gstin,
  },
  {
    name: 'tw-national-id',
    type: 'TW_NATIONAL_ID',
    description: 'Taiwanese national id',
    form: '[A-Z][1289]\\d{8}',
    words: '身分證|身份證|national id',
    check: taiwanese,
  },
  {
    name: 'jp-my-number',
    type: 'JP_MY_NUMBER',
    description: 'Japanese My Number',
    looseForm: '\\d{4}[ -]?\\d{4}[ -]?\\d{4}',
    words: 'my ?number|マイナンバー|個人番号',
    check: checkedBy(myNumber),
  },
  {
    name: 'cn-resident-id',
    type: 'CN_RESIDENT_ID',
    description: 'Chinese resident id (ISO 7064, date)',
    form: '[1-9]\\d{5}(?:19|20)\\d{9}[\\dXx]',
    words: '身份证|resident id',
    check: chinese,
  },
  {
    name: 'kr-rrn',
    type: 'KR_RRN',
    description: 'Korean resident registration number',
    form: '\\d{6}-[1-8]\\d{6}',
    looseForm: '\\d{6}[1-8]\\d{6}',
    words: '주민등록|rrn|resident registration',
    check: checkedBy(korean),
  },
  {
    name: 'sg-nric',
    type: 'SG_NRIC',
    description: 'Singaporean NRIC or FIN with its letter',
    form: '[STFGM]\\d{7}[A-Z]',
    words: 'nric|fin',
    check: singaporean,
  },
  {
    name: 'hk-id',
    type: 'HK_ID',
    description: 'Hong Kong identity card number',
    form: '[A-Z]{1,2}\\d{6}\\([0-9A]\\)',
    looseForm: '[A-Z]{1,2}\\d{6}[0-9A]',
    words: 'hkid|hong kong id|香港身份證',
    check: hongKong,
  },
  {
    name: 'au-tfn',
    type: 'AU_TFN',
    description: 'Australian tax file number',
    looseForm: '\\d{3} ?\\d{3} ?\\d{3}',
    words: 'tfn|tax file',
    check: checkedBy(tfn),
  },
  {
    name: 'au-abn',
    type: 'AU_ABN',
    description: 'Australian business number',
    form: '\\d{2} \\d{3} \\d{3} \\d{3}',
    looseForm: '\\d{11}',
    words: 'abn|business number',
    check: checkedBy(abn),
  },
  {
    name: 'au-medicare',
    type: 'AU_MEDICARE',
    description: 'Australian Medicare number',
    looseForm: '[2-6]\\d{3} ?\\d{5} ?\\d',
    words: 'medicare',
    check: checkedBy(medicare),
  },
  {
    name: 'nz-ird',
    type: 'NZ_IRD',
    description: 'New Zealand IRD number',
    looseForm: '\\d{2,3}-?\\d{3}-?\\d{3}',
    words: 'ird',
    check: checkedBy(ird),
  },
  {
    name: 'th-national-id',
    type: 'TH_NATIONAL_ID',
    description: 'Thai national id',
    form: '\\d-\\d{4}-\\d{5}-\\d{2}-\\d',
    looseForm: '[1-8]\\d{12}|[1-8] \\d{4} \\d{5} \\d{2} \\d',
    words: 'thai|บัตรประชาชน|national id',
    check: checkedBy(thai),
  },
  {
    name: 'my-nric',
    type: 'MY_NRIC',
    description: 'Malaysian MyKad number',
    form: '\\d{6}-\\d{2}-\\d{4}',
    words: 'mykad|nric|kad pengenalan',
    check: (match) => isDate(0, numberAt(digitsOf(match), 2, 2), numberAt(digitsOf(match), 4, 2)),
  },
  {
    name: 'id-nik',
    type: 'ID_NIK',
    description: 'Indonesian NIK',
    looseForm: '\\d{16}',
    words: 'nik|ktp',
    check: checkedBy(indonesian),
  },
  {
    name: 'tr-kimlik',
    type: 'TR_KIMLIK',
    description: 'Turkish kimlik number (two check digits)',
    looseForm: '[1-9]\\d{10}',
    words: 't\\.?c\\.?|kimlik',
    check: checkedBy(turkish),
  },
  {
    name: 'il-teudat-zehut',
    type: 'IL_TEUDAT_ZEHUT',
    description: 'Israeli identity number (Luhn)',
    looseForm: '\\d{9}',
    words: 'teudat zehut|israeli id|תעודת זהות',
    check: checkedBy(luhn),
  },
  {
    name: 'za-id',
    type: 'ZA_ID',
    description: 'South African id (Luhn, date)',
    form: '\\d{10}[01]\\d{2}',
    words: 'south african|za id|id number',
    check: checkedBy((digits) => luhn(digits) && isDate(0, numberAt(digits, 2, 2), numberAt(digits, 4, 2))),
  },
];
