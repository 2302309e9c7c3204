import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What a labelled text is: hostile, holding a secret, holding personal data, unfit content, or harmless. */
export type Label = 'attack' | 'secret' | 'pii' | 'content' | 'benign';

/** What stands where in a text, in UTF-16 units. `type` is the word in placeholders, or NATIONAL_ID for all of those. */
export interface Span {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** One labelled text. */
export interface Sample {
  readonly id: string;
  readonly text: string;
  readonly label: Label;
  readonly category: string;
  /** Name of the file it came from, without its ending. */
  readonly file: string;
  /** Where the text stands in traffic: a user's request, or what a tool answers or says about itself. */
  readonly channel: 'user' | 'tool';
  /** Whether it may be looked at while rules are written; without it the hash of the id decides. */
  readonly half?: 'tuned' | 'held' | undefined;
  /** The personal data in it, all of it. */
  readonly spans?: readonly Span[] | undefined;
}

/** Whether it was not to be looked at: what does not say so itself is, every second time, by the hash of its id. */
export const isHeldOut = ({ id, half }: Sample): boolean =>
  half === undefined ? (createHash('sha256').update(id).digest()[0] ?? 0) % 2 === 1 : half === 'held';

const labels: readonly Label[] = ['attack', 'secret', 'pii', 'content', 'benign'];

/** Reads every JSON lines file of a folder, in the order of names. Throws on a line without text or label. */
export function loadSamples(folder: string): readonly Sample[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.toSorted().flatMap((name) => loadFile(join(folder, name)));
}

function loadFile(path: string): Sample[] {
  const file = basename(path, '.jsonl');
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    return parseSample(JSON.parse(line) as Record<string, unknown>, file, `${path}:${index + 1}`);
  });
}

function parseSample(line: Record<string, unknown>, file: string, place: string): Sample {
  const { id, text, category, channel, half, spans } = line;
  const label = labels.find((known) => known === line['label']);
  if (typeof text !== 'string' || label === undefined)
    throw new Error(`${place}: needs "text" and "label", one of ${labels.join(', ')}`);
  return {
    id: typeof id === 'string' ? id : place,
    text,
    label,
    category: typeof category === 'string' ? category : 'other',
    file,
    channel: channel === 'tool' ? 'tool' : 'user',
    half: half === 'tuned' || half === 'held' ? half : undefined,
    spans: Array.isArray(spans) ? spans.map((span) => parseSpan(span, text.length, place)) : undefined,
  };
}

function parseSpan(span: unknown, length: number, place: string): Span {
  const { type, start, end } = (span ?? {}) as Record<string, unknown>;
  const isPlace = (offset: unknown): offset is number => Number.isInteger(offset) && Number(offset) <= length;
  if (typeof type !== 'string' || !isPlace(start) || !isPlace(end) || start < 0 || start >= end)
    throw new Error(`${place}: a span needs "type", "start" and "end" within the text`);
  return { type, start, end };
}
