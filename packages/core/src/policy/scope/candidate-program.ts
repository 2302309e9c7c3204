import type { CompiledPlan } from '../plan/compiled-plan.ts';
import type { ScopedPattern } from './scoped-pattern.ts';

/**
 * What to note where the automaton stands in a state with outputs, as numbers in a row:
 *
 *     marks, n, n co-required texts,
 *     n, n patterns: pattern, its coRequired, longest and shortest distance from the start of a match to here, and 1 where
 *     a word begins with the match, which begins with a text
 */
export interface CandidateProgram {
  /** By state, less the first one with outputs: where its row begins in `code`. */
  readonly rows: Int32Array;
  readonly code: Int32Array;
  /** By pattern: what stands for its index in `code`. */
  readonly patterns: readonly (ScopedPattern | undefined)[];
}

/** Numbers of a pattern in a row. */
export const leadWidth = 5;

/** Stands for no longest distance. */
export const anywhere = 0x7fff_ffff;

interface Row {
  marks: number;
  readonly coRequiredTexts: Set<number>;
  readonly words: Map<number, Set<number>>;
  /** Pattern, min and max of each. */
  readonly others: number[];
}

/** `scoped` are the patterns that apply, by their index. */
export function compileCandidates(
  plan: CompiledPlan,
  scoped: readonly (ScopedPattern | undefined)[],
): CandidateProgram {
  const { outputs, outputOffsets, paths } = plan.automaton;
  const wanted = new Set(scoped.flatMap((pattern) => pattern?.compiled.coRequired ?? []));
  const noCompanion = plan.coRequiredTexts;
  const companionOf = scoped.map((pattern) => pattern?.compiled.coRequired ?? noCompanion);
  const rows = new Int32Array(outputOffsets.length);
  const code: number[] = [];
  const row: Row = { marks: 0, coRequiredTexts: new Set(), words: new Map(), others: [] };
  for (let state = 0; state + 1 < outputOffsets.length; state += 1) {
    clearRow(row);
    for (const text of outputs.subarray(outputOffsets[state], outputOffsets[state + 1])) {
      row.marks |= plan.marksOfText[text] ?? 0;
      for (const coRequired of plan.coRequiredOfText[text] ?? [])
        if (wanted.has(coRequired)) row.coRequiredTexts.add(coRequired);
      const length = paths[text]?.length ?? 0;
      for (const { index } of plan.patternsOfText[text] ?? []) addPattern(row, scoped[index], length);
    }
    rows[state] = code.length;
    writeRow(code, row, companionOf);
  }
  return { rows, code: Int32Array.from(code), patterns: scoped };
}

/** One row is used for all states: there are thousands, and most have but one or two texts. */
function clearRow(row: Row): void {
  row.marks = 0;
  row.coRequiredTexts.clear();
  row.words.clear();
  row.others.length = 0;
}

function addPattern({ words, others }: Row, pattern: ScopedPattern | undefined, length: number): void {
  if (pattern === undefined) return;
  const { index, pattern: analysed, maxReach } = pattern.compiled;
  const before = analysed.literals?.before ?? { min: 0, max: 0 };
  if (analysed.startsWord && before.max === 0) {
    const patterns = words.get(length);
    if (patterns === undefined) words.set(length, new Set([index]));
    else patterns.add(index);
    return;
  }
  others.push(index, before.min + length, maxReach === Infinity ? anywhere : before.max + length);
}

function writeRow(
  code: number[],
  { marks, coRequiredTexts, words, others }: Row,
  companionOf: readonly number[],
): void {
  code.push(marks, coRequiredTexts.size);
  for (const coRequired of coRequiredTexts) code.push(coRequired);
  let patterns = others.length / 3;
  for (const indexes of words.values()) patterns += indexes.size;
  code.push(patterns);
  const add = (index: number, longest: number, shortest: number, word: number): void => {
    code.push(index, companionOf[index] ?? 0, longest, shortest, word);
  };
  for (const [length, indexes] of words) for (const index of indexes) add(index, length, length, 1);
  for (let at = 0; at < others.length; at += 3)
    add(others[at] as number, others[at + 2] as number, others[at + 1] as number, 0);
}
