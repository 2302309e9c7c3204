import type { CompiledPattern } from '../plan/compiled-pattern.ts';
import type { CompiledPlan } from '../plan/compiled-plan.ts';
import { mark, reversedMarks, rot13Marks } from '../views/obfuscations.ts';

interface Row {
  readonly patterns: CompiledPattern[];
  readonly coRequiredTexts: number[];
  marks: number;
}

/** Every text that the automaton of a plan looks for, and what for. */
export class TextTable {
  readonly #rows = new Map<string, Row>();
  /** By their texts. */
  readonly #coRequiredTexts = new Map<string, number>();

  get texts(): readonly string[] {
    return [...this.#rows.keys()];
  }

  addPattern(pattern: CompiledPattern): void {
    const { literals } = pattern.pattern;
    for (const text of literals?.texts ?? []) this.#row(text).patterns.push(pattern);
    if (literals?.coRequired !== undefined) pattern.coRequired = this.#companionOf(literals.coRequired.texts);
  }

  /** The words of turned languages, which are no patterns but tell of other readings. */
  addMarks(): void {
    for (const text of rot13Marks) this.#row(text).marks |= mark.rot13;
    for (const text of reversedMarks) this.#row(text).marks |= mark.reversed;
  }

  columns(): Pick<CompiledPlan, 'patternsOfText' | 'coRequiredOfText' | 'coRequiredTexts' | 'marksOfText'> {
    const rows = [...this.#rows.values()];
    return {
      patternsOfText: rows.map(({ patterns }) => patterns),
      coRequiredOfText: rows.map(({ coRequiredTexts }) => coRequiredTexts),
      coRequiredTexts: this.#coRequiredTexts.size,
      marksOfText: Uint8Array.from(rows, ({ marks }) => marks),
    };
  }

  /** Patterns that require the same texts share their coRequired. */
  #companionOf(texts: readonly string[]): number {
    const key = texts.toSorted().join('\n');
    const known = this.#coRequiredTexts.get(key);
    if (known !== undefined) return known;
    const coRequired = this.#coRequiredTexts.size;
    this.#coRequiredTexts.set(key, coRequired);
    for (const text of texts) this.#row(text).coRequiredTexts.push(coRequired);
    return coRequired;
  }

  #row(text: string): Row {
    let row = this.#rows.get(text);
    if (row === undefined) this.#rows.set(text, (row = { patterns: [], coRequiredTexts: [], marks: 0 }));
    return row;
  }
}
