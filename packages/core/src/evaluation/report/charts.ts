import { escapeMarkup } from './escape-markup.ts';

export interface Bar {
  readonly label: string;
  /** From 0 to 100; null where nothing counted. */
  readonly value: number | null;
  /** Where it lies with 95 % confidence. */
  readonly interval?: readonly [low: number, high: number] | null;
  readonly note: string;
}

const rowHeight = 28;
const labelWidth = 250;
const barWidth = 360;
const fullWidth = labelWidth + barWidth + 150;

/** Bars from 0 to 100 as a picture in SVG. */
export function renderBars(title: string, bars: readonly Bar[], isRisk: boolean): string {
  const rows = bars.map((bar, index) => renderRow(bar, index * rowHeight, isRisk)).join('');
  return `<svg role="img" aria-label="${escapeMarkup(title)}" viewBox="0 0 ${fullWidth} ${bars.length * rowHeight + 4}" width="100%">${rows}</svg>`;
}

function renderRow({ label, value, interval, note }: Bar, top: number, isRisk: boolean): string {
  const middle = top + rowHeight / 2 + 4;
  const known = value ?? 0;
  const tone = value === null ? 'none' : toneOf(isRisk ? known : 100 - known);
  const x = (share: number): string => (labelWidth + (barWidth * share) / 100).toFixed(1);
  const whisker =
    interval === undefined || interval === null
      ? ''
      : `<line class="whisker" x1="${x(interval[0])}" x2="${x(interval[1])}" y1="${top + 14}" y2="${top + 14}"/>`;
  return `<g><text x="0" y="${middle}">${escapeMarkup(label, 60)}</text><rect class="track" x="${labelWidth}" y="${top + 6}" width="${barWidth}" height="16" rx="3"/><rect class="${tone}" x="${labelWidth}" y="${top + 6}" width="${((barWidth * known) / 100).toFixed(1)}" height="16" rx="3"/>${whisker}<text class="note" x="${labelWidth + barWidth + 10}" y="${middle}">${value === null ? 'not judged' : value.toFixed(0)}${note === '' ? '' : ` · ${escapeMarkup(note, 40)}`}</text></g>`;
}

const toneOf = (risk: number): string => (risk <= 20 ? 'good' : risk <= 40 ? 'fair' : risk <= 60 ? 'warn' : 'bad');

/** A half circle with a number in it. */
export function renderGauge(label: string, value: number | null, isRisk: boolean): string {
  const radius = 50;
  const length = Math.PI * radius;
  const share = (value ?? 0) / 100;
  const tone = value === null ? 'none' : toneOf(isRisk ? (value ?? 0) : 100 - (value ?? 0));
  const arc = `M 10 60 A ${radius} ${radius} 0 0 1 110 60`;
  return `<figure><svg role="img" aria-label="${escapeMarkup(label)}: ${value ?? 'not known'}" viewBox="0 0 120 70" width="150"><path class="arc" d="${arc}"/><path class="arc ${tone}-line" d="${arc}" stroke-dasharray="${(length * share).toFixed(1)} ${length.toFixed(1)}"/><text x="60" y="58" text-anchor="middle" class="big">${value === null ? '–' : value.toFixed(0)}</text></svg><figcaption>${escapeMarkup(label)}</figcaption></figure>`;
}
