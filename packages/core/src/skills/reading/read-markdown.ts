import { languageOfFence } from '../package/file-kind.ts';
import { ordersNext } from './is-ordered.ts';
import { isWarningHeading, introducesBadExample } from './polarity.ts';
import { unitsOfCode } from './units-of-code.ts';
import type { Place, Unit } from './unit.ts';

/** Paragraphs are cut into passages of about so many characters, between sentences. */
const longestPassage = 700;

/** Passages of a document: front matter, paragraphs, items, rows, fenced code, and what only stands in its source. */
export const readMarkdown = (text: string, place: Place): readonly Unit[] => new MarkdownReader(text, place).read();

class MarkdownReader {
  readonly #text: string;
  readonly #place: Place;
  readonly #units: Unit[] = [];
  #from = -1;
  #end = 0;
  #inWarning = false;
  /** Of the table that is read: whether the head of a column says that this is what not to do. */
  #columns: readonly boolean[] = [];
  /** The last prose before a fence: it says whether the code is to be run. */
  #last = '';

  constructor(text: string, place: Place) {
    this.#text = text;
    this.#place = place;
  }

  read(): readonly Unit[] {
    let at = this.#readFrontMatter();
    while (at < this.#text.length) {
      const newline = this.#text.indexOf('\n', at);
      const end = newline < 0 ? this.#text.length : newline;
      at = this.#readLine(at, end);
    }
    this.#flush();
    this.#readHidden();
    return this.#units;
  }

  #readFrontMatter(): number {
    const block = /^\uFEFF?---\r?\n[^]{0,20000}?\r?\n---[ \t]*(?:\r?\n|$)/.exec(this.#text)?.[0];
    if (block === undefined) return 0;
    let at = 0;
    // A key with the indented lines behind it.
    for (const entry of block.split(/\n(?=[\w-]+:|---)/)) {
      if (entry.trim() !== '---')
        this.#add(at, at + entry.length, this.#place === 'instruction' ? 'description' : this.#place);
      at += entry.length + 1;
    }
    return block.length;
  }

  /** Takes the line, or the block that begins with it; answers where the next one begins. */
  #readLine(at: number, end: number): number {
    const line = this.#text.slice(at, end);
    const fence = /^(\s{0,12}(?:[-*>]\s+)?)(`{3,}|~{3,})\s*\{?\.?([\w+#.-]*)/.exec(line);
    if (fence !== null) return this.#readFence(end + 1, fence[2] ?? '```', fence[3] ?? '');
    if (!/^\s{0,12}\|/.test(line)) this.#columns = [];
    else if (/^\s{0,12}\|[\s|:-]{3,400}$/.test(line) && line.includes('-')) {
      this.#columns = cellsOf(this.#text.slice(Math.max(0, this.#from), this.#end)).map(([from, to]) =>
        isWarningHeading(this.#text.slice(Math.max(0, this.#from) + from, Math.max(0, this.#from) + to)),
      );
    } else if (this.#columns.includes(true)) return this.#readRow(at, end, line);
    if (line.trim() === '') this.#flush();
    else if (/^\s{0,3}#{1,6}\s/.test(line)) {
      this.#flush();
      this.#inWarning = isWarningHeading(line);
      this.#add(at, end, this.#place);
      this.#last = line;
    } else {
      // Items and rows stand for themselves.
      if (/^\s*(?:[-*+•]|\d{1,3}[.)]|\|)\s/.test(line) || this.#end - this.#from > longestPassage) this.#flush();
      if (this.#from < 0) this.#from = at;
      this.#end = end;
    }
    return end + 1;
  }

  /** The cells of a row stand for themselves, since one says what to do and the one beside it what not to. */
  #readRow(at: number, end: number, line: string): number {
    this.#flush();
    for (const [column, [from, to]] of cellsOf(line).entries())
      if (line.slice(from, to).trim() !== '')
        this.#add(at + from, at + to, this.#place, this.#inWarning || (this.#columns[column] ?? false));
    return end + 1;
  }

  #readFence(from: number, mark: string, word: string): number {
    this.#flush();
    const closing = new RegExp(`^[ \\t>]{0,12}${mark[0] === '`' ? '`' : '~'}{${mark.length},}[ \\t]*$`, 'm');
    const rest = this.#text.slice(from, from + 200_000);
    const found = closing.exec(rest);
    const end = from + (found?.index ?? rest.length);
    const code = this.#text.slice(from, end);
    const warns = introducesBadExample(this.#last) || (this.#inWarning && !ordersNext(this.#last));
    const language = languageOfFence(word);
    const place = this.#place === 'instruction' ? 'command' : this.#place;
    const isProse = word !== '' && /^(?:markdown|md|text|txt|plaintext)$/i.test(word);
    if (isProse) this.#add(from, end, this.#place, warns);
    else this.#units.push(...unitsOfCode(code, language === 'text' ? 'shell' : language, place, from, warns));
    return end + (found?.[0].length ?? 0) + 1;
  }

  #flush(): void {
    if (this.#from < 0) return;
    this.#last = this.#text.slice(this.#from, this.#end);
    this.#add(this.#from, this.#end, this.#place);
    this.#from = -1;
  }

  #add(start: number, end: number, place: Place, isWarning = this.#inWarning): void {
    for (let from = start; from < end;) {
      const to = end - from <= 2 * longestPassage ? end : this.#cut(from, end);
      this.#units.push({ start: from, end: to, isCode: false, place, language: 'markdown', isWarning });
      from = to;
    }
  }

  #cut(from: number, end: number): number {
    const found = this.#text.slice(from + longestPassage, from + 2 * longestPassage).search(/[.!?\n]\s/);
    return Math.min(end, from + longestPassage + (found < 0 ? longestPassage : found + 1));
  }

  /** What a reader of the rendered page never sees: comments, and blocks that are styled away. */
  #readHidden(): void {
    const place = this.#place === 'instruction' ? 'hidden' : this.#place;
    for (let at = this.#text.indexOf('<!--'); at >= 0; at = this.#text.indexOf('<!--', at + 4)) {
      const found = this.#text.indexOf('-->', at);
      this.#addHidden(at + 4, found < 0 ? this.#text.length : found, place);
      if (found < 0) return;
    }
    for (const { index, 0: whole } of this.#text.matchAll(
      /\[\/\/\]: ?# ?[("'][^\n]{1,2000}|<(?:span|div|p)\s[^>\n]{0,120}(?:display:\s?none|font-size:\s?0|color:\s?(?:white|#fff)|opacity:\s?0)[^>\n]{0,80}>[^<]{1,2000}/gi,
    ))
      this.#addHidden(index, index + whole.length, place);
  }

  #addHidden(start: number, end: number, place: Place): void {
    if (end > start)
      this.#units.push({
        start,
        end: Math.min(end, start + 4_000),
        isCode: false,
        place,
        language: 'markdown',
        isWarning: false,
      });
  }
}

/** Where the cells of a row stand; a bar in code or behind a backslash parts none. */
function cellsOf(row: string): readonly (readonly [from: number, to: number])[] {
  const bars: number[] = [];
  let inCode = false;
  for (let at = 0; at < row.length; at += 1) {
    if (row[at] === '\\') at += 1;
    else if (row[at] === '`') inCode = !inCode;
    else if (row[at] === '|' && !inCode) bars.push(at);
  }
  return bars.map((bar, index): readonly [number, number] => [bar + 1, bars[index + 1] ?? row.length]).slice(0, 100);
}
