import { digitsOf, isDate, isOneDigit, luhn, mod1110, numberAt, remainder, weighted } from '../checksums.ts';
import type { PersonalNumber } from './personal-number.ts';

const checkedBy = (check: (digits: readonly number[]) => boolean) => (match: string) => {
  const digits = digitsOf(match);
  return !isOneDigit(digits) && check(digits);
};
const last = (digits: readonly number[]): number => digits.at(-1) ?? 0;

const nhs = (digits: readonly number[]): boolean => {
  const check = (11 - (weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return check === last(digits);
};

/** Of the first ten digits one occurs twice or three times, the others at most once. */
const germanTaxId = (digits: readonly number[]): boolean => {
  const counts = new Uint8Array(10);
  for (const digit of digits.slice(0, 10)) counts[digit] = (counts[digit] ?? 0) + 1;
  const repeated = counts.filter((count) => count > 1);
  return digits[0] !== 0 && repeated.length === 1 && (repeated[0] ?? 0) <= 3 && mod1110(digits);
};

const germanPension = (match: string): boolean => {
  const letter = match.replaceAll(/[^A-Z]/g, '').charCodeAt(0) - 64;
  const digits = digitsOf(match);
  const all = [...digits.slice(0, 8), Math.floor(letter / 10), letter % 10, ...digits.slice(8, 10)];
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
  const sum = weights.reduce((total, weight, at) => {
    const product = weight * (all[at] ?? 0);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  return sum % 10 === last(digits) && isDate(0, numberAt(digits, 4, 2), numberAt(digits, 2, 2) % 50);
};

/** The departments of Corsica are counted as 19 and 18. */
const nir = (match: string): boolean => {
  const text = match.replaceAll(/[ .]/g, '').toUpperCase().replace('2A', '19').replace('2B', '18');
  const digits = digitsOf(text);
  return digits.length === 15 && 97 - remainder(digits.slice(0, 13), 97) === numberAt(digits, 13, 2);
};

const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
const codiceFiscale = (match: string): boolean => {
  const text = match.toUpperCase();
  let sum = 0;
  for (let at = 0; at < 15; at += 1) {
    const code = text.charCodeAt(at);
    const value = code < 58 ? code - 48 : code - 65;
    sum += at % 2 === 0 ? (odd[value] ?? 0) : value;
  }
  return String.fromCharCode(65 + (sum % 26)) === text[15];
};

const spanishLetter = (number: number): string => 'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23] ?? '';
const dni = (match: string): boolean =>
  spanishLetter(Number(match.replaceAll(/\D/g, ''))) === match.at(-1)?.toUpperCase();
const nie = (match: string): boolean => {
  const text = match.toUpperCase().replaceAll('-', '');
  return spanishLetter(Number(`${'XYZ'.indexOf(text[0] ?? '')}${text.slice(1, -1)}`)) === text.at(-1);
};

const pesel = (digits: readonly number[]): boolean => {
  const month = numberAt(digits, 2, 2) % 20;
  const sum = weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]);
  return (10 - (sum % 10)) % 10 === last(digits) && isDate(numberAt(digits, 0, 2), month, numberAt(digits, 4, 2));
};

const elevenTest = (weights: readonly number[]) => (digits: readonly number[]) =>
  weighted(digits, weights) % 11 === 0 && digits[0] !== undefined;

const belgian = (digits: readonly number[]): boolean => {
  const check = numberAt(digits, 9, 2);
  const head = digits.slice(0, 9);
  const birth = isDate(0, numberAt(digits, 2, 2), numberAt(digits, 4, 2));
  return birth && (97 - remainder(head, 97) === check || 97 - remainder([2, ...head], 97) === check);
};

const ean13 = (digits: readonly number[]): boolean =>
  (10 - (weighted(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === last(digits);

const swedish = (digits: readonly number[]): boolean => {
  const short = digits.slice(-10);
  const day = numberAt(short, 4, 2);
  return luhn(short) && isDate(0, numberAt(short, 2, 2), day > 60 ? day - 60 : day);
};

const norwegian = (digits: readonly number[]): boolean => {
  const first = weighted(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11;
  const second = weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11;
  return first === 0 && second === 0 && isDate(0, numberAt(digits, 2, 2) % 40, numberAt(digits, 0, 2) % 40);
};

const finnish = (match: string): boolean => {
  const digits = digitsOf(match.slice(0, -1));
  const birth = isDate(0, numberAt(digits, 2, 2), numberAt(digits, 0, 2));
  return birth && '0123456789ABCDEFHJKLMNPRSTUVWXY'[numberAt(digits, 0, 9) % 31] === match.at(-1);
};

const irish = (match: string): boolean => {
  const letters = match.toUpperCase().replaceAll(/\d/g, '');
  const second = letters.length > 1 ? letters.charCodeAt(1) - 64 : 0;
  const sum = weighted(digitsOf(match), [8, 7, 6, 5, 4, 3, 2]) + 9 * (second === 23 ? 0 : second);
  return 'WABCDEFGHIJKLMNOPQRSTUV'[sum % 23] === letters[0];
};

const austrian = (digits: readonly number[]): boolean =>
  weighted(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === digits[3] &&
  isDate(0, numberAt(digits, 6, 2), numberAt(digits, 4, 2));

const czech = (digits: readonly number[]): boolean => {
  const month = numberAt(digits, 2, 2) % 50;
  return remainder(digits, 11) === 0 && isDate(0, month > 20 ? month - 20 : month, numberAt(digits, 4, 2));
};

const romanian = (digits: readonly number[]): boolean => {
  const rest = weighted(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return (rest === 10 ? 1 : rest) === last(digits) && isDate(0, numberAt(digits, 3, 2), numberAt(digits, 5, 2));
};

const bulgarian = (digits: readonly number[]): boolean => {
  const rest = weighted(digits, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11;
  return rest % 10 === last(digits) && isDate(0, numberAt(digits, 2, 2) % 20, numberAt(digits, 4, 2));
};

const baltic = (digits: readonly number[]): boolean => {
  let rest = weighted(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
  if (rest === 10) rest = weighted(digits, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11;
  return rest % 10 === last(digits) && isDate(0, numberAt(digits, 3, 2), numberAt(digits, 5, 2));
};

const portuguese = (digits: readonly number[]): boolean => {
  const rest = weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest < 2 ? 0 : 11 - rest) === last(digits) && digits[0] !== 0;
};

/** Numbers that European states give to people. */
export const europeanNumbers: readonly PersonalNumber[] = [
  {
    name: 'uk-nhs',
    type: 'UK_NHS',
    description: 'UK NHS number (mod 11)',
    form: '\\d{3} \\d{3} \\d{4}',
    looseForm: '\\d{3}-\\d{3}-\\d{4}|\\d{10}',
    words: 'nhs|national health',
    check: checkedBy(nhs),
  },
  {
    name: 'uk-nino',
    type: 'UK_NINO',
    description: 'UK national insurance number',
    form: '(?!BG|GB|NK|KN|TN|NT|ZZ)[ABCEGHJ-PRSTW-Z][ABCEGHJ-NPRSTW-Z] ?\\d{2} ?\\d{2} ?\\d{2} ?[A-D]',
    words: 'national insurance|nino|ni number',
    check: () => true,
  },
  {
    name: 'de-tax-id',
    type: 'DE_TAX_ID',
    description: 'German tax id (ISO 7064)',
    form: '\\d{2} \\d{3} \\d{3} \\d{3}',
    looseForm: '\\d{11}',
    words: 'steuer|idnr|tax id|tin(?!\\p{L})|identifikationsnummer',
    check: checkedBy(germanTaxId),
  },
  {
    name: 'de-pension',
    type: 'DE_PENSION_NUMBER',
    description: 'German pension insurance number',
    form: '\\d{2} ?\\d{6} ?[A-Z] ?\\d{3}',
    words: 'rentenversicherung|sozialversicherung|rvnr',
    check: germanPension,
  },
  {
    name: 'fr-nir',
    type: 'FR_NIR',
    description: 'French social security number (mod 97)',
    form: '[12378] ?\\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\\d) ?(?:\\d{2}|2[AB]) ?\\d{3} ?\\d{3} ?\\d{2}',
    words: 's[ée]curit[ée] sociale|nir|insee',
    check: nir,
  },
  {
    name: 'it-codice-fiscale',
    type: 'IT_FISCAL_CODE',
    description: 'Italian codice fiscale with its letter',
    form: '[A-Za-z]{6}\\d{2}[A-EHLMPR-Ta-ehlmpr-t]\\d{2}[A-Za-z]\\d{3}[A-Za-z]',
    words: 'codice fiscale',
    check: codiceFiscale,
  },
  {
    name: 'it-vat',
    type: 'IT_VAT',
    description: 'Italian partita IVA (Luhn)',
    looseForm: '\\d{11}',
    words: 'partita iva|p\\.? ?iva',
    check: checkedBy(luhn),
  },
  {
    name: 'es-dni',
    type: 'ES_DNI',
    description: 'Spanish DNI with its letter',
    form: '\\d{8}-?[A-HJ-NP-TV-Z]',
    looseForm: '\\d{8} [A-HJ-NP-TV-Z]',
    words: 'dni|nif',
    check: dni,
  },
  {
    name: 'es-nie',
    type: 'ES_NIE',
    description: 'Spanish NIE with its letter',
    form: '[XYZ]-?\\d{7}-?[A-HJ-NP-TV-Z]',
    words: 'nie',
    check: nie,
  },
  {
    name: 'pt-nif',
    type: 'PT_NIF',
    description: 'Portuguese NIF (mod 11)',
    looseForm: '\\d{3} ?\\d{3} ?\\d{3}',
    words: 'nif|contribuinte',
    check: checkedBy(portuguese),
  },
  {
    name: 'pl-pesel',
    type: 'PL_PESEL',
    description: 'Polish PESEL with its date',
    looseForm: '\\d{11}',
    words: 'pesel',
    check: checkedBy(pesel),
  },
  {
    name: 'nl-bsn',
    type: 'NL_BSN',
    description: 'Dutch BSN (eleven test)',
    looseForm: '\\d{9}|\\d{4}[. ]\\d{2}[. ]\\d{3}',
    words: 'bsn|burgerservicenummer|sofi',
    check: checkedBy(elevenTest([9, 8, 7, 6, 5, 4, 3, 2, -1])),
  },
  {
    name: 'be-national-number',
    type: 'BE_NATIONAL_NUMBER',
    description: 'Belgian national number (mod 97)',
    form: '\\d{2}\\.\\d{2}\\.\\d{2}-\\d{3}[.-]\\d{2}',
    looseForm: '\\d{11}',
    words: 'rijksregister|registre national|national number|niss|insz',
    check: checkedBy(belgian),
  },
  {
    name: 'ch-ahv',
    type: 'CH_AHV',
    description: 'Swiss AHV number (EAN-13)',
    form: '756\\.\\d{4}\\.\\d{4}\\.\\d{2}',
    looseForm: '756\\d{10}|756 \\d{4} \\d{4} \\d{2}',
    words: 'ahv|avs|sozialversicherung',
    check: checkedBy(ean13),
  },
  {
    name: 'at-svnr',
    type: 'AT_SVNR',
    description: 'Austrian insurance number',
    looseForm: '\\d{4} ?\\d{6}',
    words: 'svnr|sv-nummer|sozialversicherung|versicherungsnummer',
    check: checkedBy(austrian),
  },
  {
    name: 'se-personnummer',
    type: 'SE_PERSONNUMMER',
    description: 'Swedish personnummer (Luhn, date)',
    form: '(?:19|20)?\\d{6}[-+]\\d{4}',
    looseForm: '(?:19|20)\\d{10}|\\d{10}',
    words: 'personnummer|samordningsnummer',
    check: checkedBy(swedish),
  },
  {
    name: 'no-fodselsnummer',
    type: 'NO_FODSELSNUMMER',
    description: 'Norwegian fødselsnummer (two check digits)',
    form: '\\d{6} \\d{5}',
    looseForm: '\\d{11}',
    words: 'f[øo]dselsnummer|personnummer|d-nummer',
    check: checkedBy(norwegian),
  },
  {
    name: 'fi-hetu',
    type: 'FI_HETU',
    description: 'Finnish personal identity code',
    form: '\\d{6}[-+A-FU-Y]\\d{3}[0-9A-FHJ-NPR-Y]',
    words: 'henkil[öo]tunnus|hetu',
    check: finnish,
  },
  {
    name: 'ie-pps',
    type: 'IE_PPS',
    description: 'Irish PPS number with its letter',
    form: '\\d{7}[A-W][A-IW]?',
    words: 'pps',
    check: irish,
  },
  {
    name: 'cz-birth-number',
    type: 'CZ_BIRTH_NUMBER',
    description: 'Czech or Slovak birth number (mod 11)',
    form: '\\d{6}/\\d{4}',
    words: 'rodn[éeá]',
    check: checkedBy(czech),
  },
  {
    name: 'ro-cnp',
    type: 'RO_CNP',
    description: 'Romanian CNP with its date',
    form: '[1-8]\\d{12}',
    words: 'cnp',
    check: checkedBy(romanian),
  },
  {
    name: 'bg-egn',
    type: 'BG_EGN',
    description: 'Bulgarian EGN with its date',
    looseForm: '\\d{10}',
    words: 'egn|егн',
    check: checkedBy(bulgarian),
  },
  {
    name: 'ee-lt-personal-code',
    type: 'BALTIC_PERSONAL_CODE',
    description: 'Estonian or Lithuanian personal code',
    looseForm: '[1-6]\\d{10}',
    words: 'isikukood|asmens kod|personal code',
    check: checkedBy(baltic),
  },
  {
    name: 'hr-oib',
    type: 'HR_OIB',
    description: 'Croatian OIB (ISO 7064)',
    looseForm: '\\d{11}',
    words: 'oib',
    check: checkedBy(mod1110),
  },
  {
    name: 'gr-amka',
    type: 'GR_AMKA',
    description: 'Greek AMKA (Luhn, date)',
    looseForm: '\\d{11}',
    words: 'amka|αμκα',
    check: checkedBy((digits) => luhn(digits) && isDate(0, numberAt(digits, 2, 2), numberAt(digits, 0, 2))),
  },
];
