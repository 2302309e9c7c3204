import type { KernelExports, KernelPlace } from '../../kernel/open-kernel.ts';
import { textKernel } from '../../kernel/text-kernel.ts';
import type { CleanText } from './clean-text.ts';
import type { Weights } from './weights.ts';
import { layClasses } from './word-classes.ts';

interface Exports extends KernelExports {
  readonly mostWeighed: KernelPlace;
  readonly copied: KernelPlace;
  readonly sums: KernelPlace;
  readonly characterWeights: KernelPlace;
  readonly wordWeights: KernelPlace;
  readonly wordHashes: KernelPlace;
  /** How many words do some work, and behind them which they are. */
  readonly works: KernelPlace;
  readonly workPlaces: KernelPlace;
  readonly workPairs: KernelPlace;
  readonly workTriples: KernelPlace;
  readonly classHashes: KernelPlace;
  readonly classes: KernelPlace;
  readonly mayHaveClass: KernelPlace;
  /** `text` is the place of its units, in bytes. */
  weighCharacters(text: number, length: number, window: number): number;
  readWords(text: number, length: number): number;
  /** `table` is the place of its weights, in bytes behind those of the first. */
  weighWords(table: number, words: number, window: number): number;
  shareOfRepeats(text: number, length: number, least: number, isSmall: number, most: number): number;
}

const characterSlots = 1 << 15;
const wordSlots = 1 << 16;
const classSlots = 1 << 12;
/** A bit for each hash of so many upper bits. */
const mayHaveBytes = 1 << 11;

/**
 * What weighs texts by tables. It keeps a text, and its words, until it is given another, and the weights of one table of
 * characters and two of words.
 */
class TableKernel {
  /** What each place weighs of the text that was weighed last. */
  readonly sums: Int16Array;
  readonly #kernel: Exports;
  /** The units of the text at hand, and where those of others go. */
  readonly #atHand: Uint16Array;
  readonly #copied: Uint16Array;
  readonly #characterWeights: Int8Array;
  readonly #wordWeights: Int8Array;
  readonly #words: {
    readonly hashes: Int32Array;
    readonly works: Int32Array;
    readonly places: Uint16Array;
    readonly pairs: Int32Array;
    readonly triples: Int32Array;
  };
  #ofCharacters: Weights | undefined;
  readonly #ofWords: Weights[] = [];
  #next = 0;
  #text: CleanText | undefined;
  /** Where its units are. */
  #place = 0;
  #edition = 0;
  /** -1 until somebody asks for the words of the text. */
  #count = -1;

  constructor(kernel: Exports, atHand: Uint16Array) {
    const { buffer } = kernel.memory;
    const most = kernel.mostWeighed.value;
    this.#kernel = kernel;
    this.#atHand = atHand;
    this.#copied = new Uint16Array(buffer, kernel.copied.value, most);
    this.sums = new Int16Array(buffer, kernel.sums.value, most);
    this.#characterWeights = new Int8Array(buffer, kernel.characterWeights.value, characterSlots);
    this.#wordWeights = new Int8Array(buffer, kernel.wordWeights.value, 2 * wordSlots);
    this.#words = {
      hashes: new Int32Array(buffer, kernel.wordHashes.value, most / 2),
      works: new Int32Array(buffer, kernel.works.value, 1),
      places: new Uint16Array(buffer, kernel.workPlaces.value, most / 2),
      pairs: new Int32Array(buffer, kernel.workPairs.value, most / 2),
      triples: new Int32Array(buffer, kernel.workTriples.value, most / 2),
    };
    layClasses({
      hashes: new Int32Array(buffer, kernel.classHashes.value, classSlots),
      classes: new Uint8Array(buffer, kernel.classes.value, classSlots),
      mayHave: new Uint8Array(buffer, kernel.mayHaveClass.value, mayHaveBytes),
    });
  }

  /** The highest sum of a window of places; a text that is shorter than one is weighed as a whole. */
  weighCharacters(text: CleanText, table: Weights, window: number): number {
    this.#take(text);
    if (table !== this.#ofCharacters) this.#characterWeights.set(table.weights);
    this.#ofCharacters = table;
    return this.#kernel.weighCharacters(this.#place, text.length, window);
  }

  countWords(text: CleanText): number {
    this.#take(text);
    if (this.#count < 0) this.#count = this.#kernel.readWords(this.#place, text.length);
    return this.#count;
  }

  /** The same of words. */
  weighWords(text: CleanText, table: Weights, window: number): number {
    const count = this.countWords(text);
    return this.#kernel.weighWords(this.#weightsOf(table), count, window);
  }

  /** Three for each word, see `Hash`. */
  hashWords(units: Uint16Array, hashes: Int32Array): number {
    this.#text = undefined;
    const count = this.#kernel.readWords(this.#placeOfUnits(units, units.length), units.length);
    const words = this.#words;
    hashes.fill(0, 0, 3 * count);
    for (let word = 0; word < count; word += 1) hashes[3 * word] = words.hashes[word] as number;
    for (let next = 0; next < (words.works[0] as number); next += 1) {
      const word = words.places[next] as number;
      hashes[3 * word + 1] = words.pairs[next] as number;
      hashes[3 * word + 2] = words.triples[next] as number;
    }
    return count;
  }

  /**
   * The share of groups of three words that have been seen before: something lower where it does not come to `least`, and
   * undefined where it takes the whole text to know what some letter is as a small one, unless all are small.
   * @param length so many units count
   * @param most the text has no more words than so many
   */
  shareOfRepeats(
    units: Uint16Array,
    length: number,
    least: number,
    isSmall: boolean,
    most: number,
  ): number | undefined {
    const share = this.#kernel.shareOfRepeats(this.#placeOfUnits(units, length), length, least, Number(isSmall), most);
    return share < 0 ? undefined : share;
  }

  #take(text: CleanText): void {
    if (text === this.#text && text.edition === this.#edition) return;
    this.#place = this.#placeOfUnits(text.units, text.length);
    this.#text = text;
    this.#edition = text.edition;
    this.#count = -1;
  }

  /** The place of units that the kernel is to read: it has the text at hand, and gets a copy of others. */
  #placeOfUnits(units: Uint16Array, length: number): number {
    if (units === this.#atHand) return units.byteOffset;
    this.#text = undefined;
    this.#copied.set(units.length === length ? units : units.subarray(0, length));
    return this.#copied.byteOffset;
  }

  /** Where the weights of a table of words are: they take the place of those that were written before the last ones. */
  #weightsOf(table: Weights): number {
    let place = this.#ofWords.indexOf(table);
    if (place < 0) {
      place = this.#next;
      this.#next = 1 - place;
      this.#ofWords[place] = table;
      this.#wordWeights.set(table.weights, place * wordSlots);
    }
    return place * wordSlots;
  }
}

let opened: TableKernel | undefined;

/** One for the whole process, made when it is needed first: texts are weighed one after the other. */
export const tableKernel = (): TableKernel => (opened ??= openTables());

function openTables(): TableKernel {
  const { exports, units } = textKernel();
  return new TableKernel(exports as Exports, units);
}
