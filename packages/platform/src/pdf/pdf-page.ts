import { buffer } from 'node:stream/consumers';
import PdfDocument from 'pdfkit';
import { latinText } from './latin-text.ts';

const margin = 48;
const bodySize = 9.5;
const footerSize = 8;
const colours = {
  ink: '#1c2430',
  soft: '#5b6675',
  line: '#d9dee5',
  good: '#1a7f4b',
  fair: '#7a8b12',
  warn: '#b5670a',
  bad: '#b3261e',
} as const;
type Colour = keyof typeof colours;

export interface PdfScore {
  readonly label: string;
  /** From 0 to 100; null where it is not known. */
  readonly value: number | null;
  /** Less is better. */
  readonly isRisk: boolean;
}

export interface PdfBar {
  readonly label: string;
  /** From 0 to 100; null where nothing counted. */
  readonly value: number | null;
  readonly interval: readonly [low: number, high: number] | null;
  readonly note: string;
}

interface Column {
  readonly title: string;
  /** Of the width of the page. */
  readonly share: number;
}

const barHeight = 16;
const scoreHeight = 46;
const cellPadding = 4;

const toneOf = (risk: number): Colour => (risk <= 20 ? 'good' : risk <= 40 ? 'fair' : risk <= 60 ? 'warn' : 'bad');

/** A PDF that grows from top to bottom over pages of A4. Texts must be in the characters of its fonts. */
export class PdfPage {
  readonly #document: InstanceType<typeof PdfDocument>;
  readonly #width: number;

  constructor(title: string) {
    this.#document = new PdfDocument({
      size: 'A4',
      margin,
      bufferPages: true,
      info: { Title: latinText(title, 200), Creator: 'Portcullis' },
      lang: 'en',
    });
    this.#width = this.#document.page.width - 2 * margin;
  }

  title(text: string): void {
    this.#write(text, { font: 'Helvetica-Bold', size: 18 });
  }

  /** Keeps together with what follows it. */
  heading(text: string): void {
    this.#makeRoom(90);
    this.#document.moveDown(1.2);
    this.#write(text, { font: 'Helvetica-Bold', size: 13 });
  }

  strong(text: string, colour: Colour = 'ink'): void {
    this.#makeRoom(50);
    this.#document.moveDown(0.5);
    this.#write(text, { font: 'Helvetica-Bold', size: bodySize + 1, colour });
  }

  text(text: string): void {
    this.#write(text, { font: 'Helvetica', size: bodySize });
  }

  note(text: string): void {
    this.#write(text, { font: 'Helvetica', size: bodySize - 1, colour: 'soft' });
  }

  quote(text: string): void {
    this.#write(text, { font: 'Courier', size: bodySize - 1.5, indent: 12 });
  }

  /** Numbers in a row of boxes. */
  scores(scores: readonly PdfScore[]): void {
    this.#makeRoom(scoreHeight + 10);
    const document = this.#document;
    const top = document.y + 6;
    const width = this.#width / scores.length;
    scores.forEach(({ label, value, isRisk }, index) => {
      const left = margin + index * width;
      const colour = value === null ? 'soft' : toneOf(isRisk ? value : 100 - value);
      document
        .rect(left, top, width - 8, scoreHeight - 6)
        .strokeColor(colours.line)
        .stroke();
      const place = { width: width - 8, align: 'center', lineBreak: false } as const;
      document.font('Helvetica-Bold').fontSize(18).fillColor(colours[colour]);
      document.text(value === null ? '–' : value.toFixed(0), left, top + 5, place);
      document
        .font('Helvetica')
        .fontSize(footerSize)
        .fillColor(colours.soft)
        .text(label, left, top + 26, place);
    });
    this.#continueAt(top + scoreHeight);
  }

  /** Bars from 0 to 100 with their labels, and lines where the values lie. */
  bars(bars: readonly PdfBar[], isRisk: boolean): void {
    for (const bar of bars) this.#drawBar(bar, isRisk);
  }

  #drawBar({ label, value, interval, note }: PdfBar, isRisk: boolean): void {
    this.#makeRoom(barHeight);
    const document = this.#document;
    const top = document.y;
    const [from, width] = [margin + 0.45 * this.#width, 0.3 * this.#width];
    const at = (share: number): number => from + (width * share) / 100;
    const cell = { height: barHeight, lineBreak: false, ellipsis: true } as const;
    document
      .font('Helvetica')
      .fontSize(bodySize - 1)
      .fillColor(colours.ink);
    document.text(label, margin, top + 3, { ...cell, width: 0.44 * this.#width });
    document.rect(from, top + 2, width, barHeight - 6).fill(colours.line);
    if (value !== null) {
      const tone = toneOf(isRisk ? value : 100 - value);
      document.rect(from, top + 2, Math.max(0.5, at(value) - from), barHeight - 6).fill(colours[tone]);
    }
    if (interval !== null) {
      const middle = top + 2 + (barHeight - 6) / 2;
      document.moveTo(at(interval[0]), middle).lineTo(at(interval[1]), middle).lineWidth(0.8);
      document.strokeColor(colours.ink).stroke();
    }
    document.fillColor(colours.soft);
    document.text(`${value === null ? 'not judged' : value.toFixed(0)} · ${note}`, from + width + 8, top + 3, {
      ...cell,
      width: 0.25 * this.#width - 8,
    });
    this.#continueAt(top + barHeight);
  }

  /** Rows as high as their longest cell; the titles stand on each page again. */
  *table(columns: readonly Column[], rows: readonly (readonly string[])[]): Generator<undefined, void> {
    const titles = columns.map(({ title }) => title);
    this.#drawRow(columns, titles, 'Helvetica-Bold');
    for (const row of rows) {
      if (this.#isFull(this.#heightOf(columns, row))) {
        this.#document.addPage();
        this.#drawRow(columns, titles, 'Helvetica-Bold');
      }
      this.#drawRow(columns, row, 'Helvetica');
      yield;
    }
  }

  #heightOf(columns: readonly Column[], cells: readonly string[]): number {
    this.#document.font('Helvetica').fontSize(footerSize);
    const heights = columns.map(({ share }, index) =>
      this.#document.heightOfString(cells[index] ?? '', { width: share * this.#width - cellPadding }),
    );
    return Math.max(...heights) + cellPadding;
  }

  #drawRow(columns: readonly Column[], cells: readonly string[], font: string): void {
    const height = this.#heightOf(columns, cells);
    const document = this.#document;
    const top = document.y;
    document.font(font).fontSize(footerSize).fillColor(colours.ink);
    let left = margin;
    columns.forEach(({ share }, index) => {
      document.text(cells[index] ?? '', left, top, { width: share * this.#width - cellPadding });
      left += share * this.#width;
    });
    const bottom = top + height - cellPadding / 2;
    document
      .moveTo(margin, bottom)
      .lineTo(margin + this.#width, bottom)
      .lineWidth(0.4);
    document.strokeColor(colours.line).stroke();
    this.#continueAt(top + height);
  }

  /** The file, with a line at the foot of each page. */
  async finish(footer: string): Promise<Uint8Array> {
    const document = this.#document;
    const { start, count } = document.bufferedPageRange();
    for (let index = start; index < start + count; index += 1) {
      document.switchToPage(index);
      // Else a line this low begins a page.
      document.page.margins.bottom = 0;
      document.font('Helvetica').fontSize(footerSize).fillColor(colours.soft);
      const low = document.page.height - margin / 2 - footerSize;
      document.text(footer, margin, low, { width: 0.8 * this.#width, lineBreak: false, ellipsis: true });
      document.text(`${index + 1} of ${count}`, margin, low, { width: this.#width, align: 'right', lineBreak: false });
    }
    const file = buffer(document);
    document.end();
    return file;
  }

  #write(
    text: string,
    look: { readonly font: string; readonly size: number; readonly colour?: Colour; readonly indent?: number },
  ): void {
    if (text === '') return;
    const { font, size, colour = 'ink', indent = 0 } = look;
    this.#document.font(font).fontSize(size).fillColor(colours[colour]);
    this.#document.text(text, margin + indent, undefined, { width: this.#width - indent, lineGap: 1.5 });
    this.#document.x = margin;
  }

  #continueAt(y: number): void {
    this.#document.x = margin;
    this.#document.y = y;
  }

  #isFull(height: number): boolean {
    return this.#document.y + height > this.#document.page.height - margin;
  }

  #makeRoom(height: number): void {
    if (this.#isFull(height)) this.#document.addPage();
  }
}
