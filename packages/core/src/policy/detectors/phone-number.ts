import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
import { isPartOfGroups } from './digit-groups.ts';
import type { PatternDetector } from './detector.ts';

/** Plans of numbering that a number without a country code is tried against. */
const regions: readonly CountryCode[] = [
  'US',
  'GB',
  'DE',
  'FR',
  'ES',
  'IT',
  'IN',
  'BR',
  'AU',
  'JP',
  'CN',
  'MX',
  'NL',
  'CH',
  'PL',
];

const phoneWords =
  /(?:phone|tel(?:efon|[ée]fono|[ée]phone)?\b|mobile|cell|call(?: (?:me|us|him|her|them|back))?(?: (?:at|on|under|the office))?[ :]{0,2}$|fax|text(?: (?:me|to|us))|(?:my|your|his|her|our|their|new|this) number|office: |sms|whatsapp|contact|reach|dial|\bring\b|number is|handy|rufnummer|m[óo]vil|portable|電話|电话|휴대)/iu;
/** What else is written in groups of digits. */
const otherWords =
  /(?:order|invoice|isbn|issn|doi|account|iban|ref(?:erence)?|tracking|id|serial|part|model|version|ticket|zip|imei|card|ssn|social security|npi|routing|vin|batch|lot|sku|ean|upc|gtin|pid|epoch|timestamp)(?: ?(?:no\.?|number|nr\.?|#))?[ :#]{0,3}$/iu;

/** Groups as telephone numbers are written and few other numbers: an area code in brackets, or three groups. */
const ownForm =
  /^\(?\d{2,5}\)[ .-]?\d{3,5}[ .-]?\d{3,5}|^[2-9]\d{2}([-.])\d{3}\1\d{4}(?!\d)|^0\d{1,4}[ /-]\d{3,4}[ -]?\d{3,5}|^1([-. ])\d{3}\2\d{3}\2\d{4}|^0\d(?:([ .-])\d\d)(?:\3\d\d){3}(?!\d)|^[1-9]\d 9\d{4}-\d{4}(?!\d)|^1[3-9]\d[ -]\d{4}[ -]\d{4}(?!\d)/;
/** Three digits, two, and four: a social security number, whatever is said of it. */
const socialSecurity = /^\d{3}([ -])\d{2}\1\d{4}$/;

/** Some numbering plan knows the number: that of the country whose code it begins with, or one of the common ones. */
const isKnown = (number: string): boolean =>
  number.startsWith('+')
    ? parsePhoneNumberFromString(number)?.isValid() === true
    : regions.some((region) => parsePhoneNumberFromString(number, region)?.isValid() === true);

/** A year, a month and a day, in either order. */
const date =
  /^(?:(?:19|20)\d\d([-./])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])([-./])(?:0?[1-9]|1[0-2])\2(?:19|20)\d\d)$/;

/** Telephone numbers that the plan of their country, or of one of the common countries, knows. */
export const phoneNumber: PatternDetector = {
  kind: 'pattern',
  name: 'phone',
  type: 'PHONE',
  description: 'Telephone numbers, verified by the numbering plans of their countries',
  patterns: [
    '(?<![\\w.+/=-])(?:\\+|00)\\d(?:[ .()/-]{0,2}\\d){6,13}(?!\\d)(?: ?(?:x|ext\\.?) ?\\d{1,5}(?!\\d))?',
    '(?<![\\w.+/=-])\\(?\\d(?:[ .()/-]{0,2}\\d){6,11}(?!\\d)(?: ?(?:x|ext\\.?) ?\\d{1,5}(?!\\d))?',
  ],
  confirm: isKnown,
  validate(match, before, after, confirm = isKnown) {
    if (/^(?:\+|00)/.test(match) && confirm(match.replace(/^00/, '+'))) return 0.95;
    if (date.test(match) || otherWords.test(before) || isPartOfGroups(match, before, after)) return undefined;
    if (socialSecurity.test(match)) return undefined;
    // A part of a number of letters and digits.
    if (/\d[A-Z]+\d* $|[A-Z]\d+ $/.test(before)) return undefined;
    const isAnnounced = phoneWords.test(before) || phoneWords.test(after.slice(0, 20));
    if (!isAnnounced && !ownForm.test(match)) return undefined;
    // With a country's code it has been asked about.
    if (!match.startsWith('+') && confirm(match)) return isAnnounced ? 0.9 : 0.8;
    return isAnnounced && ownForm.test(match) ? 0.6 : undefined;
  },
};
