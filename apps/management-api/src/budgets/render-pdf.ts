import PdfDocument from 'pdfkit';
import { latinText } from '@portcullis/platform/pdf/latin-text';
import type { Report, ReportTable } from './report.ts';

const margin = 50;
const fontSize = 9;
const lineHeight = 14;
/** Characters that may stand in a cell. */
const maxCellCharacters = 120;

/** A4 pages with one table after the other, sent as they are made. */
export function renderPdf({ title, tables }: Pick<Report, 'title' | 'tables'>): AsyncIterable<Uint8Array> {
  const document = new PdfDocument({ size: 'A4', margin, info: { Title: title, Creator: 'Portcullis' } });
  document.font('Helvetica-Bold').fontSize(16).text(latinText(title, maxCellCharacters));
  for (const table of tables) drawTable(document, table);
  document.end();
  return document;
}

type Document = InstanceType<typeof PdfDocument>;

function drawTable(document: Document, { title, columns, rows }: ReportTable): void {
  makeRoom(document, 4);
  document.moveDown().font('Helvetica-Bold').fontSize(12).text(title, margin);
  document.moveDown(0.3).fontSize(fontSize);
  drawRow(document, columns);
  document.font('Helvetica');
  for (const row of rows)
    drawRow(
      document,
      row.map((cell) => (cell === null ? '-' : String(cell))),
    );
}

/** The first column, which names the row, gets twice the width of the others. */
function drawRow(document: Document, cells: readonly string[]): void {
  makeRoom(document, 1);
  const width = (document.page.width - 2 * margin) / (cells.length + 1);
  const top = document.y;
  cells.forEach((cell, index) => {
    const left = margin + (index === 0 ? 0 : width * (index + 1));
    const room = cells.length === 2 || index === 0 ? width * 2 : width;
    document.text(latinText(cell, maxCellCharacters), left, top, {
      width: room - 4,
      height: lineHeight,
      ellipsis: true,
    });
  });
  document.x = margin;
  document.y = top + lineHeight;
}

function makeRoom(document: Document, lines: number): void {
  if (document.y + lines * lineHeight > document.page.height - margin) document.addPage();
}
