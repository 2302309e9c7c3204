import { policyFileLimits, type PolicyPattern } from '@portcullis/contracts/policy-file';
import { RE2JS } from 're2js';
import type { AnalysedPattern, OpenLead, StoredAnalysis } from './analysed-pattern.ts';
import { backtrackingSteps } from './backtracking.ts';
import { compileWeight, maxCompileWeight } from './compile-weight.ts';
import { firstSet, startsWord } from './first-set.ts';
import { renderLinear, NotLinear } from './linear-source.ts';
import { findLiterals } from './literals.ts';
import { measureContext, measureLengths } from './measure.ts';
import { parseRegex, toSyntax, UnsupportedSyntax } from './parse-syntax.ts';
import { RestoredPattern } from './restored-pattern.ts';
import type { Syntax } from './syntax.ts';

/** Native matching never looks at more than this many characters at a time. */
export const nativeWindow = 4_096;

/**
 * Steps that one character of the scan budget stands for. A pattern that may take more for each
 * character it looks at, in the worst text there is, is charged as many times more.
 */
const stepsPerCharacter = 256;

/** A pattern that may take this many times more does not run natively, unless each of its looks is a short one. */
const maxWeight = 8;

/**
 * A look that may take so many steps is over within some four milliseconds in the worst text there is, and within microseconds in others.
 * The linear engine takes a hundred times as long as those: it follows every word of every alternation at every distance.
 */
const maxStepsOfLook = 2 ** 22;

/** Counted repetitions: of one part, and multiplied out over nested ones. RE2 draws the same first line. */
const maxRepeat = 1_000;
const maxExpandedSize = 20_000;

/**
 * The linear engine pays for each state that a pattern can be in, at each character. Where no fixed
 * text says where to look, it looks everywhere, so the pattern must be small.
 */
const maxSizeEverywhere = 128;

/** A pattern of a policy file as the engine is given it: what other dialects write short may have grown. */
const maxSourceLength = 4 * policyFileLimits.patternLength;

const tooHeavy =
  'must not have as many parts that may be left out or repeated: compiling it would hold up the gateway; ' +
  'at most some 15 such parts may follow each other, and some 200 stand in one pattern';

/** The linear engine writes repetitions out when it compiles. */
const maxLinearSize = 5_000;

/** Everything here follows the nesting of groups by calling itself. */
const maxGroupDepth = 50;

export type PatternAnalysis =
  | { readonly pattern: AnalysedPattern; readonly reason?: never }
  | { readonly reason: string; readonly pattern?: never };

/** Analyses are kept: a policy is parsed, compiled for each proxy, and compiled again when another one changes. */
const known = new Map<string, PatternAnalysis>();
const maxKnown = 20_000;

/** Told of every pattern that is asked for and can be run, while something wants to know. */
let onAnalysed: ((pattern: AnalysedPattern) => void) | undefined;

/** Analyses a pattern of the normal form, or answers why it cannot be run; the reason reads behind "the pattern". */
export function analysePattern(pattern: PolicyPattern): PatternAnalysis {
  const { source, flags } = sourceOf(pattern);
  const key = `${flags}/${source}`;
  let analysis = known.get(key);
  if (analysis === undefined) {
    analysis = analyseSource(source, flags);
    if (known.size >= maxKnown) known.clear();
    known.set(key, analysis);
  }
  if (analysis.pattern !== undefined) onAnalysed?.(analysis.pattern);
  return analysis;
}

/** What some work asks to be analysed and can be run, each pattern once. */
export function collectAnalyses(work: () => void): StoredAnalysis[] {
  const analysed = new Set<AnalysedPattern>();
  onAnalysed = (pattern) => analysed.add(pattern);
  try {
    work();
  } finally {
    onAnalysed = undefined;
  }
  return Array.from(analysed, withoutSyntax);
}

function withoutSyntax(pattern: AnalysedPattern): StoredAnalysis {
  const stored: StoredAnalysis & { syntax?: Syntax } = { ...pattern };
  delete stored.syntax;
  return stored;
}

/** Knows these patterns from now on, as if it had analysed them. Asks nothing again: who stored them must be trusted. */
export function restoreAnalyses(stored: Iterable<StoredAnalysis>): void {
  for (const analysis of stored) {
    const key = `${analysis.flags}/${analysis.source}`;
    if (known.has(key)) continue;
    if (known.size >= maxKnown) known.clear();
    known.set(key, { pattern: new RestoredPattern(analysis) });
  }
}

function analyseSource(source: string, flags: string): PatternAnalysis {
  if (source.length > maxSourceLength) return { reason: `must have at most ${maxSourceLength} characters` };
  if (groupDepth(source) > maxGroupDepth) return { reason: `must not nest groups more than ${maxGroupDepth} deep` };
  try {
    const parsed = parseRegex(source, flags);
    // Told before the engine sees the pattern: compiling some of a hundred characters takes it minutes.
    if (compileWeight(parsed, flags) > maxCompileWeight) return { reason: tooHeavy };
    const analysis = analyse(source, flags, toSyntax(parsed, flags));
    // The engine has the last word on what is a pattern; some faults show only when it first runs.
    // Sticky as in the matcher, so that the engine keeps what it compiles here for then.
    if (analysis.pattern !== undefined) new RegExp(source, `${flags}y`).test('');
    return analysis;
  } catch (error) {
    if (error instanceof UnsupportedSyntax) return { reason: error.message };
    if (error instanceof SyntaxError) return { reason: `is not a regular expression: ${error.message}` };
    throw error;
  }
}

function sourceOf(pattern: PolicyPattern): { source: string; flags: string } {
  if (typeof pattern === 'string') return { source: pattern, flags: '' };
  if ('literal' in pattern) return { source: RegExp.escape(pattern.literal), flags: 'i' };
  return { source: pattern.regex, flags: pattern.flags ?? '' };
}

function analyse(source: string, flags: string, syntax: Syntax): PatternAnalysis {
  const { min, max } = measureLengths(syntax);
  if (min === 0) return { reason: 'must not match the empty text' };
  if (maxRepetition(syntax) > maxRepeat) return { reason: `must not repeat a part more than ${maxRepeat} times` };
  if (expandedSize(syntax) > maxExpandedSize) {
    return { reason: `must not come to more than ${maxExpandedSize} characters with its repetitions written out` };
  }
  const { left, right } = measureContext(syntax);
  if (left > nativeWindow || right > nativeWindow) {
    return { reason: 'must bound what its lookarounds read, for example {0,200} for * or +' };
  }
  const bounded = max <= nativeWindow;
  const literals = findLiterals(syntax);
  const near = literals !== undefined && literals.before.max <= nativeWindow;
  const spread = near ? literals.before.max - literals.before.min : 0;
  const window = left + Math.min(max, nativeWindow) + spread + right + 1;

  // Near a literal an attempt is made at each place where the match could begin; without one, at
  // every character of the text, so that each must be cheap by itself.
  const steps = backtrackingSteps(syntax, nativeWindow) * (spread + 1);
  const weight = Math.ceil(steps / (stepsPerCharacter * (near ? window : 1)));
  const isShort = bounded && steps <= maxStepsOfLook;
  const safe = near ? weight <= maxWeight || isShort : bounded && weight <= 1;
  if (!safe && !near && expandedSize(syntax) > maxSizeEverywhere) {
    return {
      reason:
        `must contain a fixed text of three characters near its start, or come to at most ${maxSizeEverywhere} ` +
        'characters with its repetitions written out: it would be tried at every character',
    };
  }
  if (!safe || !bounded) {
    const reason = linearFault(syntax);
    if (reason !== undefined) {
      return {
        reason: `${reason}, and could backtrack without bound there: give its repetitions bounds and tell them apart`,
      };
    }
  }
  const engine = safe ? 'native' : 'linear';
  const linearWeight = 1 + Math.floor(expandedSize(syntax) / stepsPerCharacter);
  const first = firstSet(syntax).set;
  return {
    pattern: {
      source,
      flags,
      syntax,
      first,
      startsWord: startsWord(syntax),
      maxLength: max,
      bounded,
      left,
      right,
      literals,
      openLead: literals === undefined || near ? undefined : findOpenLead(syntax),
      window,
      weight: safe ? weight : linearWeight,
      engine,
    },
  };
}

/** What is longer is left to the linear engine. */
const longestRest = 1_024;

function findOpenLead(syntax: Syntax): OpenLead | undefined {
  const [first, ...items] = itemsOf(syntax);
  if (first?.kind !== 'repeat' || first.body.kind !== 'char' || first.body.astral.length > 0) return undefined;
  const rest: Syntax = { kind: 'sequence', items };
  const { max } = measureLengths(rest);
  const weight = Math.ceil(backtrackingSteps(rest, nativeWindow) / stepsPerCharacter);
  return max <= longestRest && weight <= maxWeight ? { set: first.body.set, rest: max, weight } : undefined;
}

/** The parts of a pattern one behind the other, without the groups around them. */
function itemsOf(node: Syntax): readonly Syntax[] {
  if (node.kind === 'sequence') return node.items.flatMap(itemsOf);
  const [only] = node.kind === 'choice' && node.branches.length === 1 ? node.branches : [];
  return only === undefined ? [node] : itemsOf(only);
}

/** How deep groups are nested; brackets in classes and behind backslashes are no groups. */
function groupDepth(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of source.matchAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]?|[()]/g)) {
    if (bracket === '(') deepest = Math.max(deepest, (depth += 1));
    else if (bracket === ')') depth -= 1;
  }
  return deepest;
}

/** Why the linear engine cannot run the pattern, if it cannot. */
function linearFault(syntax: Syntax): string | undefined {
  if (expandedSize(syntax) > maxLinearSize) return 'is too large for the linear engine';
  try {
    RE2JS.compile(renderLinear(syntax));
    return undefined;
  } catch (error) {
    if (error instanceof NotLinear) return error.message;
    return 'is too large for the linear engine';
  }
}

function maxRepetition(node: Syntax): number {
  switch (node.kind) {
    case 'repeat':
      return Math.max(node.min, node.max === Infinity ? 0 : node.max, maxRepetition(node.body));
    case 'sequence':
      return Math.max(0, ...node.items.map(maxRepetition));
    case 'choice':
      return Math.max(0, ...node.branches.map(maxRepetition));
    case 'look':
      return maxRepetition(node.body);
    case 'char':
    case 'edge':
      return 0;
  }
}

/** Number of characters and edges with every counted repetition written out. */
function expandedSize(node: Syntax): number {
  switch (node.kind) {
    case 'char':
    case 'edge':
      return 1;
    case 'repeat':
      return expandedSize(node.body) * Math.max(1, node.max === Infinity ? node.min : node.max);
    case 'sequence':
      return node.items.reduce((sum, item) => sum + expandedSize(item), 0);
    case 'choice':
      return node.branches.reduce((sum, branch) => sum + expandedSize(branch), 0);
    case 'look':
      return expandedSize(node.body);
  }
}
