import { GatewayError } from '@portcullis/platform/http/gateway-error';

const maxNameLength = 200;
const versionForm = /^[\w.+-]{1,64}$/;
/** Control characters, those that are not seen or change what is read, and those that no font has to have. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/u;
const unusualBlank = /(?! )\p{Zs}/u;

/** What a skill without a version has. */
export const firstVersion = '1.0.0';

/** The name of a skill, an agent or an author in its normal form. @throws {GatewayError} `bad_request` */
export function checkName(field: string, value: string): string {
  const name = value.normalize('NFC');
  if (name.length === 0 || name.length > maxNameLength) {
    throw refuse(field, `has ${name.length} characters; allowed are 1 to ${maxNameLength}`);
  }
  if (unseen.test(name)) throw refuse(field, 'holds characters that are not seen; allowed is one line of plain text');
  if (unusualBlank.test(name)) throw refuse(field, 'holds a blank that is none of the keyboard: write a plain space');
  if (name !== name.trim()) throw refuse(field, 'must not begin or end with blanks');
  return name;
}

/** @throws {GatewayError} `bad_request` */
export function checkVersion(version: string, field = 'version'): string {
  if (!versionForm.test(version)) throw refuse(field, 'must be 1 to 64 letters, digits, dots, underscores, + or -');
  return version;
}

/** A text of any lines. @throws {GatewayError} `bad_request` */
export function checkText(field: string, text: string, maxLength: number): string {
  if (text.length > maxLength) throw refuse(field, `has ${text.length} characters; allowed are ${maxLength}`);
  if (!text.isWellFormed() || text.includes('\0')) throw refuse(field, 'is not valid text');
  return text;
}

/** One of some words, in any case. @throws {GatewayError} `bad_request` with the list */
export function checkWord<Word extends string>(field: string, words: readonly Word[], value: string): Word {
  const known = words.find((word) => word.toLowerCase() === value.trim().toLowerCase());
  if (known === undefined) throw refuse(field, `must be one of ${words.join(', ')}`);
  return known;
}

const refuse = (field: string, rule: string) => new GatewayError('bad_request', { message: `${field} ${rule}` });
