import { lastSentence, stripDoubleNegation } from './polarity.ts';
import type { Unit } from './unit.ts';

/*
 * Whether a command is ordered in so many words right in front of it. A warning anywhere else in its sentence or section, or a
 * heading, says nothing against that: agents run what they are told to run.
 */

/** The order, up to the command. */
const order =
  /\b(?:re-?)?(?:run|execute|paste|enter|type|launch|invoke|issue)\s(?:[\w'’-]{1,20}\s){0,5}[\w'’-]{0,20}:?\s{0,3}["'(*]{0,3}$/i;

/** What takes an order back that stands in front of its verb: a no, who else does it, or what is said of it. */
const governed =
  /(?:\b(?:never|don'?t|do not|not|cannot|can'?t|must not|mustn'?t|should not|shouldn'?t|won'?t|avoid|refuse|without|rather than|instead of|nor|like|such as|e\.g\.)\s(?:[\w'’]{1,12}\s){0,2}|\b(?:attackers?|adversar\w{1,5}|malware|someone|anyone|he|she|it|they|that|which|who|users?|victims?|scripts?|skills?|tools?|pages?|prompts?|commands?|code|agents?)\s(?:(?:may|might|could|will|would|can|often|then|also)\s){0,2}|\b(?:asks?|asked|tells?|told|tricks?|tricked|instructs?|instructed|prompts?|prompted|trying|tries|attempts?|wants?|able)\s(?:[\w'’]{1,12}\s){0,2}to\s|\b(?:never|do not|don'?t|must not|should not)\s?,[^,]{0,40},\s)$/i;

/** Words in front of `to run` that make of it what is reported. */
const reporting =
  /\b(?:never|don'?t|do not|cannot|can'?t|must not|should not|refus\w{1,4}|reject\w{0,4}|prohibit\w{0,4}|forbid\w{0,6}|prevent\w{0,4}|block\w{0,4}|den(?:y|ies|ied)|detect\w{0,4}|flag\w{0,4}|warn\w{0,4}|attackers?|adversar\w{1,5}|malicious|instructions?|attempts?|orders?|requests?)\b[^]{0,200}\bto\s$/i;

/** A label in front of a colon that says that this is what not to do. */
const deniesBehind =
  /(?:❌|🚫|⛔|\b(?:bad|wrong|incorrect|avoid|unsafe|dangerous|insecure|vulnerab\w{0,8}|malicious|attacks?|anti-?patterns?|examples?|never|don'?t|do not|not)\b(?!\s(?:worry|wait|hesitate|ask|stop|forget|panic)\b)[^.:\n]{0,16}):\s{0,2}$/iu;

/** What says that it is to be done now, also in a list of what not to do. */
const urges =
  /\b(?:first|now|must|please|always|before (?:anything|you|starting|any)|need to|have to|at once|immediately)\b/i;

const clauseEnds = [',', ';', ':', '—', '–', '!', '?'] as const;
/** No sentence that orders is longer. */
const longest = 400;

/** Whether the prose ends in an order to run what comes next. */
export function ordersNext(prose: string): boolean {
  const end = prose.slice(-longest);
  const sentence = end.slice(lastSentence(end));
  const found = order.exec(sentence);
  if (found === null) return false;
  const before = stripDoubleNegation(sentence.slice(0, found.index));
  const clause = before.slice(Math.max(...clauseEnds.map((end) => before.lastIndexOf(end))) + 1);
  return !governed.test(before) && !reporting.test(clause) && !deniesBehind.test(before);
}

/** @param start of a command in the passage */
export function isOrdered(text: string, { start: from, isWarning }: Unit, start: number): boolean {
  const before = text.slice(Math.max(from, start - 260), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  // Of what stands between backquotes the command may be a part.
  const opened = line.split('`').length % 2 === 0 ? before.slice(0, before.lastIndexOf('`')) : before;
  if (!ordersNext(opened)) return false;
  const isItem = /^\s{0,12}(?:[-*+•]|\|)\s/.test(text.slice(from, from + 16));
  return !isWarning || !isItem || urges.test(opened.slice(lastSentence(opened)));
}
