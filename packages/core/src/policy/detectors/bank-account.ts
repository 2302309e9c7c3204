import type { PolicyPattern } from '@portcullis/contracts/policy-file';
import type { PatternDetector } from './detector.ts';

/** Length of the account numbers of each country that has registered them. */
const registered = (
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
  'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
  'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
  'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 ' +
  'YE30'
).split(' ');
/** Of countries that use them without having registered them. */
const used =
  'AO25 BF28 BJ28 CF27 CG27 CI28 CM27 CV25 DZ26 GA27 GQ27 GW25 IR26 KM27 MA28 MG27 ML28 MZ25 NE28 SN28 TD27 TG28'.split(
    ' ',
  );

const lengths: ReadonlyMap<string, number> = new Map(
  [...registered, ...used].map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** A number in one piece, and one in groups of four, of some countries. Their letters and two digits are what is looked for. */
function patternsOf(countries: readonly string[]): readonly PolicyPattern[] {
  const begin = `(?<![A-Za-z\\d])(?:${countries.map((entry) => entry.slice(0, 2)).join('|')})\\d\\d`;
  return [
    { regex: `${begin}[A-Z\\d]{11,29}(?![A-Za-z\\d])`, flags: 'i' },
    { regex: `${begin}(?:[ -][A-Z\\d]{4}){2,7}(?:[ -][A-Z\\d]{1,3}(?![A-Za-z\\d]))?`, flags: 'i' },
  ];
}

const remainder97 = (text: string): number => {
  let rest = 0;
  for (const symbol of text) {
    const value = parseInt(symbol, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
};

/** International bank account numbers: the country's length and the check digits (ISO 7064 MOD 97-10). */
export const bankAccount: PatternDetector = {
  kind: 'pattern',
  name: 'iban',
  type: 'IBAN',
  description: 'International bank account numbers, verified by country, length and check digits',
  patterns: [...patternsOf(registered), ...patternsOf(used)],
  validate(match) {
    const text = match.replaceAll(/[ -]/g, '').toUpperCase();
    if (lengths.get(text.slice(0, 2)) !== text.length) return undefined;
    return remainder97(text.slice(4) + text.slice(0, 4)) === 1 ? 0.99 : undefined;
  },
};
