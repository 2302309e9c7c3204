import { foldChar, foldTable, highTags, holdsControls, longer, removed } from './fold-table.ts';
import { unitsOf } from './text-units.ts';
import { HiddenSpans } from './hidden-spans.ts';

/** A text that tells where each of its units stood before. */
export interface Folded {
  readonly text: string;
  /** By unit of `text`, and for its end: the offset in the original. */
  readonly offsets: Int32Array;
  /** What was written in tag characters or variation selectors, where it stood. */
  readonly smuggled: readonly Smuggled[];
  /** Where characters stand that no reader sees and that have no business there. */
  readonly hidden: readonly (readonly [start: number, end: number])[];
}

interface Smuggled {
  text: string;
  readonly start: number;
  end: number;
}

/** Fewer selectors in a row carry no message. */
const fewestSelectors = 4;
/** Tags that stand closer to each other spell one message, with the visible text in between. */
const betweenTags = 16;

/** Tells where the units of a folded text stood: from the first one to the end of the last, and no further. */
export function placesOf({ offsets }: Pick<Folded, 'offsets'>, original: string) {
  return (start: number, end: number): readonly [start: number, end: number] => {
    const last = offsets[end - 1] ?? 0;
    const unit = original.charCodeAt(last);
    // The first half of a pair that was left as it is stands for itself.
    const width = unit >= 0xd800 && unit <= 0xdbff && offsets[end] !== last + 1 ? 2 : 1;
    return [offsets[start] ?? 0, Math.min(last + width, original.length)];
  };
}

/** True when the text holds anything that folding may change, quotation marks and dashes aside. */
export function mayFold(text: string): boolean {
  const { folds } = foldTable();
  for (let at = 0; at < text.length; at += 1) if (folds[text.charCodeAt(at)] === 1) return true;
  return false;
}

/**
 * Writes a text as it looks: look-alikes as the ASCII letters that they stand for, compatible forms as
 * plain ones, accents and invisible characters gone. It goes unit by unit, so that a stream folds to
 * the same. Undefined when nothing changes.
 * @param most the text is `too long` when it comes to more units
 */
export function fold(text: string): Folded | undefined;
export function fold(text: string, most: number): Folded | 'too long' | undefined;
export function fold(text: string, most = Infinity): Folded | 'too long' | undefined {
  const table = foldTable();
  const writer = new UnitWriter(text.length);
  const hidden = new HiddenSpans(text);
  const smuggled: Smuggled[] = [];
  let changed = false;
  const units = unitsOf(text);
  const hasControls = holdsControls(text);
  for (let at = 0; at < text.length; at += 1) {
    const unit = units[at] as number;
    if (unit < 0x80 && (!hasControls || table.unit[unit] === unit)) {
      let end = at + 1;
      if (hasControls) while (end < text.length && isPlain(table.unit, units[end] as number)) end += 1;
      else while (end < text.length && (units[end] as number) < 0x80) end += 1;
      writer.copy(units, at, end);
      at = end - 1;
      continue;
    }
    const folded = table.unit[unit] as number;
    if (folded === unit && (unit < 0xd800 || unit > 0xdbff)) {
      writer.write(unit, at);
      continue;
    }
    if (unit === highTags || isSelector(unit)) {
      const end = endOfRun(text, at);
      if (end > at) {
        const message = readRun(text, at, end);
        addMessage(smuggled, message, text, at, end);
        hidden.run(at, end, message.length);
        changed = true;
        at = end - 1;
        continue;
      }
    }
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = at + 1 < text.length ? (units[at + 1] as number) : 0;
      if (next < 0xdc00 || next > 0xdfff) {
        writer.write(unit, at);
        continue;
      }
      const pair = text.slice(at, at + 2);
      const plain = knownPairs.get(pair) ?? keepPair(pair);
      changed ||= plain !== pair;
      for (let part = 0; part < plain.length; part += 1)
        writer.write(plain.charCodeAt(part), at + (plain === pair ? part : 0));
      at += pair.length - 1;
      continue;
    }
    changed = true;
    if (folded === removed) at = passUnseen(text, at, hidden);
    else if (folded !== longer) writer.write(folded, at);
    else {
      writer.writeAll(table.longer.get(unit) ?? '', at);
      if (writer.length > most) return 'too long';
    }
  }
  const messages = smuggled.filter(({ text: message }) => message.length >= fewestSelectors);
  return changed ? { ...writer.finish(text.length), smuggled: messages, hidden: hidden.spans } : undefined;
}

/** With it begins what colours and places the letters that terminals show. */
const escape = 0x1b;

/** Longer ones are none. */
const longestSequence = 32;

// oxlint-disable-next-line no-control-regex -- this is what it is about
const sequence = /\u001b\[[0-?]{0,20}[ -/]{0,8}[@-~]/y;

/** Where what is not seen ends: its last unit. */
function passUnseen(text: string, at: number, hidden: HiddenSpans): number {
  const unit = text.charCodeAt(at);
  if (unit === escape) return endOfSequence(text, at) - 1;
  hidden.single(at, unit);
  return at;
}

/** End of the sequence of a terminal that begins at `start`, or of its first character where it is none. */
function endOfSequence(text: string, start: number): number {
  sequence.lastIndex = start;
  return sequence.test(text) ? sequence.lastIndex : start + 1;
}

// oxlint-disable-next-line no-control-regex -- this is what it is about
const openSequence = /\u001b(?:\[[0-?]{0,20}[ -/]{0,8})?$/;

/** Length of what a text ends with and what may be the beginning of a sequence of a terminal. */
export function lengthOfOpenSequence(text: string): number {
  const from = text.lastIndexOf('\u001b');
  if (from === -1 || text.length - from > longestSequence) return 0;
  return openSequence.test(text) ? text.length - from : 0;
}

const isPlain = (table: Uint16Array, unit: number): boolean => unit < 0x80 && table[unit] === unit;

/** Writers of tags leave line breaks and letters that have no tag as they are. */
function addMessage(messages: Smuggled[], message: string, text: string, start: number, end: number): void {
  const last = messages.at(-1);
  if (last === undefined || start - last.end > betweenTags || text.charCodeAt(start) !== highTags) {
    messages.push({ text: message, start, end });
    return;
  }
  last.text += text.slice(last.end, start) + message;
  last.end = end;
}

/** A pair that stands for one visible letter, as that letter; any other as it is. */
export function foldPair(pair: string): string {
  const point = pair.codePointAt(0) ?? 0;
  if (point >= 0x1_f1e6 && point <= 0x1_f1ff) return String.fromCharCode(point - 0x1_f1e6 + 0x41);
  if (point >= 0x1_f130 && point <= 0x1_f149) return String.fromCharCode(point - 0x1_f130 + 0x41);
  if (point >= 0x1_f150 && point <= 0x1_f169) return String.fromCharCode(point - 0x1_f150 + 0x41);
  if (point >= 0x1_f170 && point <= 0x1_f189) return String.fromCharCode(point - 0x1_f170 + 0x41);
  if (pair.length < 2 || (point >= 0x1_f200 && point <= 0x1_faff)) return pair;
  if (point >> 12 === 0xe0) return '';
  return foldChar(pair);
}

/** What pairs fold to: asking Unicode takes longer than everything else here. */
const knownPairs = new Map<string, string>();
const mostPairs = 4_096;

function keepPair(pair: string): string {
  const plain = foldPair(pair);
  if (knownPairs.size >= mostPairs) knownPairs.clear();
  knownPairs.set(pair, plain);
  return plain;
}

const isSelector = (unit: number): boolean => unit >= 0xfe00 && unit <= 0xfe0f;

/** End of the tags and selectors that follow each other from `start`. */
function endOfRun(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (isSelector(unit)) at += 1;
    else if (unit === highTags && at + 1 < text.length) at += 2;
    else break;
  }
  return at;
}

/** What tags spell (ASCII, shifted) or selectors carry (one byte each). */
function readRun(text: string, start: number, end: number): string {
  let message = '';
  for (const char of text.slice(start, end)) {
    const point = char.codePointAt(0) ?? 0;
    if ((point >= 0xe_0020 && point <= 0xe_007e) || point === 0xe_000a)
      message += String.fromCharCode(point - 0xe_0000);
    else if (point >= 0xfe00 && point <= 0xfe0f) message += String.fromCharCode(point - 0xfe00);
    else if (point >= 0xe_0100 && point <= 0xe_01ef) message += String.fromCharCode(point - 0xe_0100 + 16);
  }
  return message;
}

/** Units and where they come from, in arrays that grow. */
export class UnitWriter {
  #units: Uint16Array;
  #offsets: Int32Array;
  #length = 0;

  constructor(expected: number) {
    this.#units = new Uint16Array(expected + 16);
    this.#offsets = new Int32Array(expected + 17);
  }

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  write(unit: number, offset: number): void {
    if (this.#length >= this.#units.length) this.#grow();
    this.#units[this.#length] = unit;
    this.#offsets[this.#length] = offset;
    this.#length += 1;
  }

  /** Units that stand where they stood. */
  copy(units: Uint16Array, from: number, to: number): void {
    while (this.#length + to - from > this.#units.length) this.#grow();
    const [into, offsets] = [this.#units, this.#offsets];
    const shift = this.#length - from;
    for (let at = from; at < to; at += 1) {
      into[at + shift] = units[at] as number;
      offsets[at + shift] = at;
    }
    this.#length += to - from;
  }

  writeAll(text: string, offset: number): void {
    for (let at = 0; at < text.length; at += 1) this.write(text.charCodeAt(at), offset);
  }

  /** The text, and where each unit comes from; `end` is where the end comes from. */
  finish(end: number): { readonly text: string; readonly offsets: Int32Array } {
    this.#offsets[this.#length] = end;
    return { text: renderUnits(this.#units.subarray(0, this.#length)), offsets: this.#offsets };
  }

  #grow(): void {
    const units = new Uint16Array(this.#units.length * 2);
    units.set(this.#units);
    const offsets = new Int32Array(units.length + 1);
    offsets.set(this.#offsets);
    this.#units = units;
    this.#offsets = offsets;
  }
}

/** Texts of which all units fit into bytes are kept in bytes by the engine, and read faster. */
export function renderUnits(units: Uint16Array): string {
  let all = 0;
  for (let at = 0; at < units.length; at += 1) all |= units[at] as number;
  if (all < 0x100) return Buffer.from(new Uint8Array(units).buffer).toString('latin1');
  return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
}
