import type { PatternDetector } from './detector.ts';
import { isRemoteLogin } from './remote-login.ts';

/** Endings of file names that look like the end of an address, as in `logo@2x.png`. */
const fileEnding = /\.(?:png|jpe?g|gif|svg|webp|css|js|ts|json|html?|md|py|java)$/i;

/** E-mail addresses. The parts are bounded as RFC 5321 bounds them. */
export const emailAddress: PatternDetector = {
  kind: 'pattern',
  name: 'email',
  type: 'EMAIL',
  description: 'E-mail addresses',
  patterns: ["(?<![\\w.%+'-])[\\w%+][\\w.%+'-]{0,40}@[\\w.-]{1,40}[A-Za-z]"],
  validate: (match, before, after) =>
    fileEnding.test(match) ||
    /\.[.@-]|-\./.test(match) ||
    !/\.(?:\p{L}{2,24}|xn--[a-z\d-]{2,30})$/iu.test(match) ||
    isRemoteLogin(match, before, after)
      ? undefined
      : 0.98,
};

const isV4 = (text: string): boolean => text.split('.').every((part) => Number(part) <= 255 && !/^0\d/.test(part));
const versionWords = /(?:version|release|v|build|chapter|section|rev|oid)[ .:=]{0,2}$/i;

/** IP addresses, as personal data: version numbers and clock times are none. */
export const ipAddress: PatternDetector = {
  kind: 'pattern',
  name: 'ip-address',
  type: 'IP_ADDRESS',
  description: 'IPv4 and IPv6 addresses; not loopback or unspecified ones',
  patterns: [
    '(?<![\\w.:])\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}(?![\\w]|\\.\\d)',
    { regex: '(?<![\\w.:])[\\da-f]{1,4}:[\\da-f:]{2,35}(?![\\w:])', flags: 'i' },
  ],
  validate(match, before, after) {
    // A range of addresses belongs to no person.
    if (/^\/\d/.test(after)) return undefined;
    if (match.includes(':')) {
      const groups = match.split(':').filter((group) => group !== '');
      const isFull = !match.includes('::') && groups.length === 8;
      const isShort =
        match.split('::').length === 2 && groups.length >= 2 && groups.length <= 7 && /[a-f]|\d{4}/i.test(match);
      return isFull || isShort ? 0.9 : undefined;
    }
    if (!isV4(match) || /^(?:0|127)\./.test(match) || versionWords.test(before)) return undefined;
    return 0.9;
  },
};

export const macAddress: PatternDetector = {
  kind: 'pattern',
  name: 'mac-address',
  type: 'MAC_ADDRESS',
  description: 'Hardware addresses of network devices',
  patterns: [{ regex: '(?<![\\w:-])[\\da-f]{2}(?:[:-][\\da-f]{2}){5}(?![\\w:-])', flags: 'i' }],
  validate: (match) =>
    new Set(match.replaceAll(/[:-]/g, '')).size > 2 && !(match.includes(':') && match.includes('-')) ? 0.9 : undefined,
};

const birthWords =
  /(?:birth ?(?:day|date)?|born(?: on)?|dob|d\.o\.b\.|geboren|geb\.|n[ée]e? le|nacid[oa]|fecha de nacimiento|nascid[oa]|data di nascita|生年月日)[^\n]{0,20}$/iu;

/** A date counts as a date of birth only where the text says so. */
export const dateOfBirth: PatternDetector = {
  kind: 'pattern',
  name: 'date-of-birth',
  type: 'DATE_OF_BIRTH',
  description: 'Dates that the text calls a date of birth',
  patterns: [
    '(?<![\\d.])\\d{1,2}[./-]\\d{1,2}[./-](?:19|20)\\d{2}(?!\\d)',
    '(?<![\\d.])(?:19|20)\\d{2}[./-]\\d{1,2}[./-]\\d{1,2}(?!\\d)',
    {
      regex:
        '(?<!\\d)\\d{1,2}(?:st|nd|rd|th|\\.)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6},? (?:19|20)\\d{2}(?!\\d)',
      flags: 'i',
    },
    {
      regex:
        '\\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.? \\d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\\d{2}(?!\\d)',
      flags: 'i',
    },
  ],
  validate: (_match, before) => (birthWords.test(before) ? 0.9 : undefined),
};
