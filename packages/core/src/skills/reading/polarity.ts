/*
 * Who says a thing, and whether it is asked for. A list of what is forbidden holds the words of what is forbidden, and a
 * skill about attacks quotes them.
 */

const warningHeading =
  /\b(?:threats?|attacks?|red flags?|warning signs?|anti-?patterns?|pitfalls?|common mistakes?|(?:what )?not to|never|don'?ts?|do not|avoid|forbidden|prohibited|disallowed|bad|wrong|incorrect|vulnerab\w*|malicious|suspicious|dangerous|unsafe|insecure|detect\w*|indicators?|refus\w*|out of scope|limitations|rationali[sz]ations?|false positives?|example attacks?|what (?:it|we) (?:detects?|checks?|blocks?|flags?))\b/i;

export const isWarningHeading = (line: string): boolean => warningHeading.test(line);

/** What a skill is told to hide or to leave out: that it is not to be done says nothing against the rest. */
const concealing =
  '(?:mention|tell|inform|notify|disclose|reveal|report|say|show|ask|wait|stop|skip|forget|omit|hesitate|worry)';

/** An order to conceal, up to the order that follows it in the same sentence. */
const concealment = new RegExp(
  String.raw`\b(?:never|don'?t|do not|must not|mustn'?t|should not|shouldn'?t)\s+${concealing}\b[^,;]{0,80}?(?:[,;]|\s(?:and|but|then|just|instead)\b)`,
  'gi',
);

/** A sentence before a block of code that takes it as what not to do. */
const warnsOf = new RegExp(
  String.raw`\b(?:bad|wrong|incorrect|(?:never|don'?t|do not)(?! ${concealing}\b)|avoid|vulnerab\w*|insecure|unsafe|dangerous|malicious|attack\w*|exploit\w*|anti-?pattern|instead of|should (?:be )?(?:not|refuse|reject|flag|block)\w*|must (?:be )?(?:not|refuse|reject|flag|block)\w*|not recommended|❌|🚫)`,
  'i',
);

export const introducesBadExample = (prose: string): boolean => warnsOf.test(seenBefore(prose.slice(-240)));

/** What a person sees before the code: no comments, in which a skill could disown it, and nothing of another section. */
function seenBefore(prose: string): string {
  const seen = prose.replaceAll(/<!--[^]*?(?:-->|$)/g, ' ').replace(/^[^]*-->/, ' ');
  return seen.slice(Math.max(0, seen.lastIndexOf('\n#')));
}

/** Before what is matched, in its sentence. */
const negation =
  /(?:\b(?:never|don'?t|do not|does not|doesn'?t|did not|won'?t|will not|cannot|can'?t|must not|mustn'?t|should not|shouldn'?t|may not|avoid\w*|refus\w+|reject\w*|prohibit\w*|forbid\w*|forbidden|disallow\w*|prevent\w*|blocks?|blocked|blocking|den(?:y|ies|ied)|detect\w*|flags?|flagged|flagging|catch\w*|identif\w+|scan\w* for|search(?:es|ing)? for|look(?:s|ing)? for|check(?:s|ing)? (?:for|whether|if)|watch(?:es|ing)? for|grep\w* for|warn\w*|protect\w*|guard\w*|rather than|instead of|nor|neither|whether|if (?:someone|anyone|a user|the user|an? (?:attacker|email|page|document|file|tool|website|message))|such as|e\.g\.|for example|examples? of|attempts? to|attackers?|adversar\w+|malicious|untrusted|suspicious|vulnerab\w+|injections?|payloads?)\b|❌|🚫|⛔)[^]{0,200}$/i;

/** Close before it. */
const doubt = /\b(?:not|without|no longer|could|might|may|risk\w*)\b[^]{0,40}$/i;

/** In the sentence of the match, behind it. */
const refusal =
  /^[^.!?\n]{0,120}(?:(?<!\b(?:nothing|none|nor) )\b(?:is|are|as) (?:forbidden|prohibited|not allowed|blocked|refused|malicious|suspicious|unsafe|dangerous|an? (?:attack|injection|red flag|attempt|risk|vulnerability))|→ ?(?:refuse|reject|block|stop|deny)|\bmust (?:never|not)\b|❌)/i;

/** Two noes make an order. */
const doubled =
  /\b(?:don'?t|do not|never|not(?: to)?)\s(?:forget|fail|hesitate|neglect|omit|skip|miss)\b|\b(?:never|don'?t|do not|cannot|can'?t|will not|won'?t)\b[^.,;:\n]{0,40}\bwithout\s(?!asking|permission|approval|confirm)/gi;

export const stripDoubleNegation = (text: string): string => text.replaceAll(doubled, ' ');

/** True when the sentence around a match denies, forbids or reports it. */
export function isDenied(text: string, from: number, start: number, end: number): boolean {
  const before = text.slice(Math.max(from, start - 260), start);
  const sentence = stripDoubleNegation(before.slice(lastSentence(before))).replaceAll(concealment, ' ');
  return negation.test(sentence) || doubt.test(sentence) || refusal.test(text.slice(end, end + 160));
}

const exception =
  /\bexceptions?(?: to this(?: rule)?)?\s?(?::|is\b|here\b|applies\b|for (?:this|the (?:first|set-?up|install)))|\bexcept(?: for| in| when| during)? (?:here\b|now\b|this\b|today\b|the (?:first|set-?up|install)|(?:first|setting|installing|set-?up)\b)|\b(?:but|however|though|yet|still|only),? (?:this (?:time|once|skill)|here\b|now\b|today\b|once\b|in this (?:case|skill|step)|for this (?:skill|task|set-?up|step)|you (?:must|need to|have to|should) (?:run|do|use|execute)|go ahead|(?:do|run) (?:it|this) (?:now|here|once|anyway))|\b(?:rule|warning|ban) (?:does not|doesn't) apply (?:here|now|to this)|\b(?:it is|it's) (?:safe|fine|ok|okay|allowed|needed|required) (?:here|now|this time|in this case|for this (?:skill|step))|\bjust this once\b/i;

/** True where what is denied is ordered all the same, around it and in its section: a ban with an exception is an order. */
export function isExcepted(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 300), start);
  const after = text.slice(end, end + 300);
  const heading = after.indexOf('\n#');
  return exception.test(seenBefore(before)) || exception.test(heading < 0 ? after : after.slice(0, heading));
}

/** Where the last sentence begins. Abbreviations end none, and neither does a line that is only wrapped. */
export function lastSentence(text: string): number {
  let begin = 0;
  for (const { index, 0: end } of text.matchAll(
    /(?<!\b(?:e\.g|i\.e|etc|vs))[.!?]["'`)*]{0,2}\s+|\n\s{0,8}\n|\n\s{0,8}(?:[-*+|]|\d{1,2}[.)])\s/g,
  ))
    begin = index + end.length;
  return begin;
}

const quotes: readonly (readonly [open: string, close: string])[] = [
  ['"', '"'],
  ['“', '”'],
  ['`', '`'],
  ['«', '»'],
];

/** True when a match stands within quotation marks of its line. */
export function isQuoted(
  text: string,
  [first, limit]: readonly [first: number, limit: number],
  start: number,
  end: number,
  withBackquotes: boolean,
): boolean {
  const from = Math.max(first, text.lastIndexOf('\n', start - 1) + 1, start - 200);
  const newline = text.indexOf('\n', end);
  const last = Math.min(limit, newline < 0 ? text.length : newline, end + 200);
  const before = text.slice(from, start);
  return quotes.some(([open, close]) => {
    if (open === '`' && !withBackquotes) return false;
    const closing = text.indexOf(close, end);
    if (closing < 0 || closing >= last) return false;
    if (open !== close) return before.lastIndexOf(open) > before.lastIndexOf(close);
    return (before.split(open).length - 1) % 2 === 1;
  });
}
