import { isPartOfGroups } from './digit-groups.ts';
import type { PatternDetector } from './detector.ts';

/** What the numbers of each network begin with, and how long they are. Where two share a beginning, either's lengths do. */
const networks: readonly (readonly [network: string, begins: RegExp, lengths: readonly number[]])[] = [
  ['Visa', /^4/, [13, 16, 18, 19]],
  ['Mastercard', /^(?:5[1-5]|2(?:2(?:2[1-9]|[3-9])|[3-6]|7(?:[01]|20)))/, [16]],
  ['American Express', /^3[47]/, [15]],
  ['Diners Club', /^(?:30[0-5]|309|3[689])/, [14, 15, 16, 17, 18, 19]],
  ['Diners Club enRoute', /^(?:2014|2149)/, [15]],
  ['Discover', /^(?:6011|64[4-9]|65)/, [16, 17, 18, 19]],
  ['JCB', /^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  ['JCB, older', /^(?:2131|1800)/, [15]],
  ['UnionPay', /^(?:62|81)/, [16, 17, 18, 19]],
  ['T-Union', /^31/, [19]],
  ['Maestro', /^(?:50(?:18|20|38)|5[678]|6304|67)/, [12, 13, 14, 15, 16, 17, 18, 19]],
  ['Others of Maestro’s ranges', /^(?:50|6)/, [16, 17, 18, 19]],
  ['Dankort', /^5019/, [16]],
  ['InterPayment and InstaPayment', /^63[6-9]/, [16, 17, 18, 19]],
  ['RuPay', /^(?:60|65|81|82|508|353|356)/, [16]],
  ['Mir', /^220[0-4]/, [16, 17, 18, 19]],
  ['Borica and PayPak', /^2205/, [16]],
  ['Troy', /^9792/, [16]],
  ['Verve', /^(?:506[01]|507[89]|6500)/, [16, 18, 19]],
  ['Elo and Hipercard', /^(?:5067|509|627780|636(?:297|368|369)|606282|637(?:095|568|599|609|612))/, [13, 16, 19]],
  ['UzCard and Humo', /^(?:8600|5614|9860)/, [16]],
  ['Napas', /^9704/, [16, 19]],
  ['Belkart, ArCa, Prostir, Dina', /^(?:9112|9051|9804|9891)/, [16]],
  ['GPN', /^1946/, [16]],
];

const luhnHolds = (digits: string): boolean => {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    sum += at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
};

const cardWords =
  /card(?!i[ao])|visa\b|master|maestro|amex|american express|diners|discover\b|\bjcb\b|union ?pay|rupay|\bmir\b|uatp|credit|debit|\bcvc|\bcvv|expir|\bpan\b|karte\b|tarjeta|carte (?:bancaire|bleue|de)|cart[ãa]o|carta di|カード|银行卡|信用卡|карт/iu;

/** Numbers of devices and parcels, some of which have the same check digit. */
const otherWords =
  /\b(?:imei|meid|iccid|imsi|esn|isbn|ean|gtin|upc|sscc|tracking|order|invoice|parcel|serial)\b[^\n]{0,16}$/i;
/** Groups as cards have them begin with four digits or six. */
const cardGroups = /^(?:\d{12,19}$|\d{4}[ -]|\d{6}[ -])/;

/**
 * Numbers of payment cards: a network's beginning and length, and a check digit that agrees. ISO/IEC 7812 has numbers of 12 to 19
 * digits; those of other issuers, as fuel, air and shop cards, count where the text says that they are cards.
 */
export const paymentCard: PatternDetector = {
  kind: 'pattern',
  name: 'payment-card',
  type: 'PAYMENT_CARD',
  description:
    'Card numbers of all networks, verified by length and check digit (Luhn); of any issuer where the text says card',
  patterns: ['(?<![\\w.])[1-9](?:[ -]?\\d){11,18}(?![\\w-])'],
  validate(match, before, after) {
    const digits = match.replaceAll(/\D/g, '');
    if (!luhnHolds(digits) || new Set(digits).size < 2 || isPartOfGroups(match, before, after)) return undefined;
    if (!cardGroups.test(match)) return undefined;
    const known = networks.some(([, begins, lengths]) => begins.test(digits) && lengths.includes(digits.length));
    if (cardWords.test(before) || cardWords.test(after)) return known ? 0.99 : 0.8;
    return known && !otherWords.test(before) ? 0.9 : undefined;
  },
};
