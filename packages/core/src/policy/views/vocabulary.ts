/** Frequent English words, and those that orders to a machine are made of: enough to find where words end. */
const words =
  'a i the of and to in is you that it he was for on are as with his they at be this have from or one had by word but not ' +
  'what all were we when your can said there use an each which she do how their if will up other about out many then them ' +
  'these so some her would make like him into time has look two more write go see number no way could people my than first ' +
  'been call who its now find long down day did get come made may part over new sound take only little work know place year ' +
  'live me back give most very after thing our just name good sentence man think say great where help through much before ' +
  'line right too mean old any same tell boy follow came want show also around form three small set put end does another ' +
  'well large must big even such because turn here why ask went men read need land different home us move try kind hand ' +
  'again change off play spell air away animal house point page letter mother answer found study still learn should world ' +
  'ignore ignoring disregard forget bypass override overrule previous previously prior above earlier preceding former ' +
  'original existing instruction instructions instructed directive directives guideline guidelines guardrails rule rules ' +
  'order orders command commands prompt prompts system message messages policy policies restriction restrictions limit ' +
  'limits limitations filter filters safety security ethics ethical moral unrestricted uncensored jailbreak developer mode ' +
  'admin administrator root user users assistant model language chat bot ai gpt chatgpt dan anything everything nothing ' +
  'pretend act acting role roleplay character persona simulate imagine behave respond response reply output print reveal ' +
  'repeat display share disclose leak expose dump secret secrets key keys password passwords token tokens credential ' +
  'credentials api access code data file files send email post url http https website link delete remove drop table execute ' +
  'run shell script install download upload fetch hidden initial exact full entire verbatim words text start starting begin ' +
  'enable enabled disable disabled activate without never always every following instead free from under below evil illegal ' +
  'weapon bomb hack hacking malware virus attack exploit kill drugs steal fraud translate summarize explain step steps ' +
  'grant granted please provide detailed content contents information confidential private internal open ending';

export const vocabulary: ReadonlySet<string> = new Set(words.split(' '));

const longestWord = 16;

/** Puts spaces between words that were written as one; undefined where most of them are not known. */
export function separateWords(run: string): string | undefined {
  const lower = run.toLowerCase();
  // The fewest letters outside known words, then the fewest words, to each place.
  const cost = new Float64Array(lower.length + 1);
  const from = new Int32Array(lower.length + 1);
  for (let end = 1; end <= lower.length; end += 1) {
    cost[end] = (cost[end - 1] ?? 0) + 3;
    from[end] = end - 1;
    for (let start = Math.max(0, end - longestWord); start < end; start += 1) {
      const price = (cost[start] ?? 0) + 1;
      if (price < (cost[end] ?? 0) && vocabulary.has(lower.slice(start, end))) {
        cost[end] = price;
        from[end] = start;
      }
    }
  }
  if ((cost[lower.length] ?? 0) > lower.length) return undefined;
  const parts: string[] = [];
  let isUnknown = false;
  for (let end = lower.length; end > 0; end = from[end] ?? 0) {
    const part = run.slice(from[end], end);
    const known = vocabulary.has(part.toLowerCase());
    // Letters of a word that is not known stay together.
    if (!known && isUnknown) parts.push(`${part}${parts.pop() ?? ''}`);
    else parts.push(part);
    isUnknown = !known;
  }
  return parts.toReversed().join(' ');
}
