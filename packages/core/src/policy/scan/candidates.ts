import type { Automaton } from '../finder/aho-corasick.ts';
import { leadWidth, type CandidateProgram } from '../scope/candidate-program.ts';
import { EndList } from '../finder/end-list.ts';
import { wordUnits } from '../pattern/char-set.ts';
import { PlaceList } from '../finder/place-list.ts';
import { TextFinder } from '../finder/text-finder.ts';

/** Of co-required texts. */
const present = 1;
const asked = 2;

/**
 * Where in a text patterns may match. The automaton reads the text and writes down where it has found one of its
 * texts; what that means is worked out behind it, by pattern. Nothing is tried on the way, so that each pattern can
 * be tried at all its places at once.
 */
export class Candidates {
  /** By pattern that has had places in this text. */
  readonly lists: (PlaceList | undefined)[];
  /** Lists for the first pattern of a text that has places, for the second and so on: those few are always at hand. */
  readonly #rooms: PlaceList[] = [];
  /** The patterns that have them. */
  readonly #listed: Int32Array;
  #listedCount = 0;
  /** The patterns that have places, ascending. */
  readonly touched: Int32Array;
  touchedCount = 0;
  /** The same while places are noted: a bit for each. */
  readonly #touchedBits: Int32Array;
  /** By coRequired: where its texts end, ascending; only of those that a pattern with places asks for. */
  readonly seen: (EndList | undefined)[] = [];
  readonly #seenTouched: EndList[] = [];
  readonly #finder: TextFinder;
  /** By number of a state, less one: where its row begins in `code`. */
  #rows: Int32Array = new Int32Array(0);
  /** What was found of which something may come. */
  #led: Int32Array = new Int32Array(0);
  /** By number of a state: where what is to be noted of it ends in `leads`. */
  #leadsTo: Int32Array = new Int32Array(0);
  /** By number of a state: 1 where its places are asked for. */
  #asks = new Uint8Array(0);
  #asksAny = false;
  /** Where in `code` stands what is to be noted in this text. */
  #leads: Int32Array = new Int32Array(0);
  /** By coRequired: 1 when one of its texts was found, 2 when a pattern asks where; the last stands for none, and is always there. */
  readonly #coRequiredTexts: Uint8Array;
  /** The same, four at a time: a few dozen numbers are cleared sooner than a builtin is called. */
  readonly #companionWords: Int32Array;
  /** Nothing was found that has left anything behind. */
  #isClean = true;
  /** Bits of `mark` that have been met, and where the first of them and the last one ends. */
  marks = 0;
  firstMark = 0;
  lastMark = 0;

  constructor(automaton: Automaton, patterns: number, coRequiredTexts: number) {
    this.#finder = new TextFinder(automaton);
    this.lists = Array.from({ length: patterns });
    this.touched = new Int32Array(patterns);
    this.#listed = new Int32Array(patterns);
    this.#touchedBits = new Int32Array((patterns >> 5) + 1);
    this.#companionWords = new Int32Array((coRequiredTexts >> 2) + 1);
    this.#coRequiredTexts = new Uint8Array(this.#companionWords.buffer, 0, coRequiredTexts + 1);
    this.#coRequiredTexts[coRequiredTexts] = present;
  }

  /**
   * Reads the text on from one place to another; `isWhole` when that is all of it.
   * @param base where in the text its units begin
   */
  read(text: Uint16Array, from: number, to: number, program: CandidateProgram, isWhole: boolean, base = 0): void {
    this.#finder.find(text, from, to, base);
    const { count, met } = this.#finder;
    if (isWhole && met === 0) return;
    this.#isClean = false;
    if (this.#led.length < count) this.#makeRoom(2 * count);
    const marks = this.#findRows(program);
    this.#noteCompanions(program);
    this.#asksAny = !isWhole;
    if (!isWhole) this.#coRequiredTexts.fill(asked);
    if (marks !== 0) this.#noteMarks(program);
    if (this.#findLeads(program) > 0) this.#notePlaces(text, program, base);
    if (this.#asksAny) this.#noteEnds(program);
    this.#listTouched();
  }

  /** Finds the rows of all states and their marks in one: nothing is decided, so they come out of memory side by side. */
  #findRows({ rows, code }: CandidateProgram): number {
    const { states, met } = this.#finder;
    let marks = 0;
    for (let index = 0; index < met; index += 1) {
      const row = rows[states[index] as number] as number;
      this.#rows[index] = row;
      marks |= code[row] as number;
    }
    return marks;
  }

  #noteCompanions({ code }: CandidateProgram): void {
    for (let index = 0; index < this.#finder.met; index += 1) {
      const row = this.#rows[index] as number;
      const last = row + 1 + (code[row + 1] as number);
      for (let at = row + 2; at <= last; at += 1) this.#coRequiredTexts[code[at] as number] = present;
    }
  }

  /** Lists what is to be noted of each state: what is of a pattern whose coRequired is nowhere in the text, the next one stands over. */
  #findLeads({ code }: CandidateProgram): number {
    const most = Math.ceil(code.length / leadWidth);
    if (this.#leads.length < most) this.#leads = new Int32Array(most);
    const leads = this.#leads;
    const coRequiredTexts = this.#coRequiredTexts;
    let count = 0;
    for (let number = 1; number <= this.#finder.met; number += 1) {
      const row = this.#rows[number - 1] as number;
      const first = row + 2 + (code[row + 1] as number);
      const last = first + leadWidth * (code[first] as number);
      for (let at = first + 1; at <= last; at += leadWidth) {
        leads[count] = at;
        count += ((coRequiredTexts[code[at + 1] as number] as number) + 1) >> 1;
      }
      this.#leadsTo[number] = count;
    }
    return count;
  }

  #notePlaces(text: Uint16Array, { code }: CandidateProgram, base: number): void {
    const { places, numbers } = this.#finder;
    const leads = this.#leads;
    const leadsTo = this.#leadsTo;
    const led = this.#led;
    const count = this.#listLed();
    for (let index = 0; index < count; index += 1) {
      const hit = led[index] as number;
      const number = numbers[hit] as number;
      const end = places[hit] as number;
      const last = leadsTo[number] as number;
      for (let lead = leadsTo[number - 1] as number; lead < last; lead += 1) {
        const at = leads[lead] as number;
        const to = end - (code[at + 3] as number);
        const before = to <= base ? 0 : (wordUnits[text[to - 1 - base] as number] as number);
        if (to < 0 || ((code[at + 4] as number) & before) !== 0) continue;
        this.#add(code[at] as number, code[at + 1] as number, Math.max(0, end - (code[at + 2] as number)), to);
      }
    }
  }

  /** Which leads somewhere cannot be foreseen, so each is written down, and the next one over it unless it does. */
  #listLed(): number {
    const { numbers, count } = this.#finder;
    const leadsTo = this.#leadsTo;
    const led = this.#led;
    let leading = 0;
    for (let hit = 0; hit < count; hit += 1) {
      const number = numbers[hit] as number;
      led[leading] = hit;
      leading += ((leadsTo[number - 1] as number) - (leadsTo[number] as number)) >>> 31;
    }
    return leading;
  }

  #add(pattern: number, coRequired: number, from: number, to: number): void {
    if (coRequired < this.#coRequiredTexts.length - 1) {
      this.#coRequiredTexts[coRequired] = asked;
      this.#asksAny = true;
    }
    const list = this.lists[pattern] ?? this.#openList(pattern);
    const bits = this.#touchedBits[pattern >> 5] as number;
    this.#touchedBits[pattern >> 5] = bits | (1 << (pattern & 31));
    list.add(from, to);
  }

  #openList(pattern: number): PlaceList {
    const list = (this.#rooms[this.#listedCount] ??= new PlaceList());
    this.#listed[this.#listedCount] = pattern;
    this.#listedCount += 1;
    this.lists[pattern] = list;
    return list;
  }

  #listTouched(): void {
    let count = 0;
    for (let word = 0; word < this.#touchedBits.length; word += 1) {
      for (let bits = this.#touchedBits[word] as number; bits !== 0; bits &= bits - 1) {
        this.touched[count] = 32 * word + 31 - Math.clz32(bits & -bits);
        count += 1;
      }
      this.#touchedBits[word] = 0;
    }
    this.touchedCount = count;
  }

  #noteMarks({ code }: CandidateProgram): void {
    const { numbers, places, count } = this.#finder;
    for (let hit = 0; hit < count; hit += 1) {
      const marks = code[this.#rows[(numbers[hit] as number) - 1] as number] as number;
      if (marks === 0) continue;
      if (this.marks === 0) this.firstMark = places[hit] as number;
      this.lastMark = places[hit] as number;
      this.marks |= marks;
    }
  }

  /** Notes where co-required texts end that a pattern with places asks for. */
  #noteEnds({ code }: CandidateProgram): void {
    if (!this.#findAsked(code)) return;
    const { numbers, places, count } = this.#finder;
    for (let hit = 0; hit < count; hit += 1) {
      const number = numbers[hit] as number;
      if (this.#asks[number] === 0) continue;
      const row = this.#rows[number - 1] as number;
      const last = row + 1 + (code[row + 1] as number);
      for (let at = row + 2; at <= last; at += 1) {
        const coRequired = code[at] as number;
        if (this.#coRequiredTexts[coRequired] !== asked) continue;
        const list = (this.seen[coRequired] ??= new EndList());
        if (list.length === 0) this.#seenTouched.push(list);
        list.add(places[hit] as number);
      }
    }
  }

  /** True when the places of some state are asked for. */
  #findAsked(code: Int32Array): boolean {
    let some = 0;
    for (let number = 1; number <= this.#finder.met; number += 1) {
      const row = this.#rows[number - 1] as number;
      const last = row + 1 + (code[row + 1] as number);
      let asks = 0;
      for (let at = row + 2; at <= last; at += 1) asks |= this.#coRequiredTexts[code[at] as number] === asked ? 1 : 0;
      this.#asks[number] = asks;
      some |= asks;
    }
    return some !== 0;
  }

  #makeRoom(hits: number): void {
    this.#rows = new Int32Array(hits);
    this.#led = new Int32Array(hits);
    this.#leadsTo = new Int32Array(hits + 1);
    this.#asks = new Uint8Array(hits + 1);
  }

  /** What has been tried is gone from the lists: forgets what nothing needs that has been read before `readTo`. */
  settle(readTo: number): void {
    let first = readTo;
    for (let index = 0; index < this.touchedCount; index += 1) {
      const pattern = this.touched[index] as number;
      const list = this.lists[pattern];
      if (list === undefined || list.length === 0) continue;
      this.#touchedBits[pattern >> 5] = (this.#touchedBits[pattern >> 5] as number) | (1 << (pattern & 31));
      first = Math.min(first, list.from(0));
    }
    for (const list of this.#seenTouched) list.forgetBefore(first);
  }

  /** What has been met so far is no mark of what is read next. */
  forgetMarks(): void {
    this.marks = 0;
  }

  /** Leaves the tables as the next text wants to find them. */
  clear(): void {
    this.#finder.clear();
    this.marks = 0;
    if (this.#isClean) return;
    for (let index = 0; index < this.#listedCount; index += 1) {
      this.#rooms[index]?.clear();
      this.lists[this.#listed[index] as number] = undefined;
    }
    this.#listedCount = 0;
    this.touchedCount = 0;
    for (let word = 0; word < this.#touchedBits.length; word += 1) this.#touchedBits[word] = 0;
    while (this.#seenTouched.length > 0) this.#seenTouched.pop()?.clear();
    for (let word = 0; word < this.#companionWords.length; word += 1) this.#companionWords[word] = 0;
    this.#coRequiredTexts[this.#coRequiredTexts.length - 1] = present;
    this.#isClean = true;
  }
}
