/** An account number up to a place: country, check digits, whole groups of four. */
const account = /(?<![A-Za-z\d])[A-Z]{2}\d{2}(?:[ -][A-Z\d]{4}){0,7}[ -]$/;
/** Groups of four that go on on either side, as those of cards do. */
const groupBefore = /(?<![A-Za-z\d])(?:\d{4}[ -]){1,4}$/;
const groupBehind = /^[ -]\d{3,4}(?!\d)/;

/** True for digits that are only a part of a number that is written in groups: an account's, or a card's. */
export const isPartOfGroups = (match: string, before: string, after: string): boolean =>
  account.test(before) ||
  (/^\d{4}[ -]\d{4}/.test(match) && groupBefore.test(before)) ||
  (/\d{4}[ -]\d{4}$/.test(match) && groupBehind.test(after));
