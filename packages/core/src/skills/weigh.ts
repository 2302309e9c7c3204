import { isOrdered } from './reading/is-ordered.ts';
import { isDenied, isExcepted, isQuoted } from './reading/polarity.ts';
import type { Place, Unit } from './reading/unit.ts';
import type { SkillPattern, SkillRule } from './skill-rule.ts';

/** How much a command or a call says where it stands. */
const codeWeights: Readonly<Record<Place, number>> = {
  script: 1,
  command: 1,
  instruction: 1,
  description: 1,
  hidden: 1,
  docstring: 0.3,
  comment: 0.2,
  reference: 0.5,
  test: 0.3,
};

/** How much an order says there. A docstring of a tool is read by models, a comment hardly. */
const proseWeights: Readonly<Record<Place, number>> = {
  script: 0.25,
  command: 0.25,
  instruction: 1,
  description: 1,
  hidden: 1,
  docstring: 1,
  comment: 0.5,
  reference: 0.5,
  test: 0.25,
};

interface Weighed {
  readonly rule: SkillRule;
  readonly pattern: SkillPattern;
}

/** What a script only prints: it tells people, or an agent, rather than doing it. */
const saidWeight = 0.3;
const saying = /^\s{0,80}(?:echo|printf|Write-Host|Write-Output)\s/;

function isSaid(text: string, { start, end, isCode, language }: Unit): boolean {
  if (!isCode || (language !== 'shell' && language !== 'powershell') || end - start > 4_000) return false;
  const statement = text.slice(start, end);
  if (!saying.test(statement)) return false;
  // What is worked out, or goes on into a file or a command, is more than said.
  const outside = statement.replaceAll(/(?<!\\)"(?:[^"\\]|\\[^]){0,2000}"|'[^']{0,2000}'/g, (quoted) =>
    /^"[^]*(?:\$\(|`)/.test(quoted) ? '$' : ' ',
  );
  return !/[|&>;`$(<]/.test(outside);
}

/** What is denied, forbidden or reported, and what is quoted. */
const deniedWeight = 0.2;

export function weigh(
  text: string,
  unit: Unit,
  { pattern, rule }: Weighed,
  [start, end]: readonly [start: number, end: number],
  isAboutSecurity: boolean,
): number {
  const isProse = pattern.ground === 'prose' || (pattern.ground === 'any' && !unit.isCode);
  let weight = (isProse ? proseWeights : codeWeights)[unit.place];
  if (isSaid(text, unit)) weight *= saidWeight;
  const isForbidden = unit.isWarning || (!unit.isCode && isDenied(text, unit.start, start, end));
  const isToRun = pattern.ground !== 'prose' && !unit.isCode && isOrdered(text, unit, start);
  if (isForbidden && !isToRun && !isExcepted(text, start, end)) {
    if (unit.isWarning) weight *= deniedWeight;
    if (!unit.isCode && isDenied(text, unit.start, start, end)) weight *= deniedWeight;
  }
  // A command in backquotes is one to run; words in quotation marks are someone's.
  else if (isProse && isQuoted(text, innerOf(unit), start, end, pattern.ground === 'prose'))
    weight *= unit.isCode ? 0.6 : deniedWeight;
  if (isAboutSecurity && !isToRun) weight *= shareInSecurity(rule, unit);
  return weight;
}

/** The weight of a command that was found by what it does. */
export function placeWeight(
  text: string,
  unit: Unit,
  [start, end]: readonly [start: number, end: number],
  isAboutSecurity: boolean,
): number {
  let weight = codeWeights[unit.place];
  const isForbidden = unit.isWarning || (!unit.isCode && isDenied(text, unit.start, start, end));
  const isToRun = !unit.isCode && isOrdered(text, unit, start);
  if (isForbidden && !isToRun && !isExcepted(text, start, end)) weight *= deniedWeight;
  const runsItself = unit.place === 'script' || unit.place === 'hidden';
  return isAboutSecurity && !isToRun && !runsItself ? weight * 0.5 : weight;
}

/** The marks around a docstring are no quotation. */
const innerOf = ({ place, start, end }: Unit): readonly [first: number, limit: number] =>
  place === 'docstring' ? [start + 3, end - 3] : [start, end];

/**
 * A skill about attacks shows them: in its documents what is less than Critical is for a person to look at, and so is code
 * that no shell runs. What it runs itself counts whole, as hostile skills call themselves scanners.
 */
function shareInSecurity({ severity }: SkillRule, { place, language, isCode }: Unit): number {
  if (place === 'script' || place === 'hidden') return 1;
  return severity !== 'Critical' || (isCode && language !== 'shell') ? 0.5 : 1;
}
