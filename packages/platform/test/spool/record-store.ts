import type { SpoolRecord } from '@portcullis/contracts/records';
import type { RecordLine } from '../../src/spool/record-line.ts';
import { recordColumns } from '../../src/spool/record-columns.ts';
import type { SaveRecords } from '../../src/spool/save-records.ts';

/** Rows are read by what stands between commas and quotation marks; that is all they may hold. */
export function readRecord({ kind, data }: RecordLine): SpoolRecord & Readonly<Record<string, unknown>> {
  if (!data.startsWith('(')) return JSON.parse(data);
  const fields = data.slice(1, -1).match(/(?<=^|,)("[^"]*"|[^,"]*)(?=,|$)/g) ?? [];
  const names = Object.keys(recordColumns[kind]).filter((name) => !onlyInObjects.has(name));
  const entries = names.map((name, index) => [name, readField(name, fields[index] ?? '')]);
  return { kind, ...Object.fromEntries(entries) };
}

/** Columns that the types of rows do not have. */
const onlyInObjects: ReadonlySet<string> = new Set([
  'requests',
  'exceptions',
  'changes',
  'injected_prompts',
  'skipped_prompts',
]);

function readField(name: string, field: string): unknown {
  if (field === '') return null;
  if (name === 'timestamp') return new Date(Number(field)).toISOString();
  if (name.endsWith('_ms')) return Number(field) / 1_000;
  return JSON.parse(field);
}

/** Takes what a spool drains as the database does: atomically, once per event id, refusing what it must. */
export class RecordStore {
  readonly #records = new Map<string, SpoolRecord & Readonly<Record<string, unknown>>>();
  /** While set nothing is saved. */
  fault: Error | undefined;
  /** The next batch is saved, but the word of it does not come back. */
  losesAnswer = false;
  /** Event ids that are refused for what they are. */
  refused: ReadonlySet<string> = new Set();
  largestBatch = 0;

  /** In the order of their saving. */
  get records() {
    return [...this.#records.values()];
  }

  get ids(): readonly string[] {
    return [...this.#records.keys()];
  }

  readonly save: SaveRecords = async (lines) => {
    if (this.fault !== undefined) throw this.fault;
    this.largestBatch = Math.max(this.largestBatch, lines.length);
    const records = lines.map(readRecord);
    const refused = records.find(({ event_id }) => this.refused.has(event_id));
    if (refused !== undefined) throw Object.assign(new Error(`refused ${refused.event_id}`), { code: '22003' });
    for (const record of records) if (!this.#records.has(record.event_id)) this.#records.set(record.event_id, record);
    if (!this.losesAnswer) return;
    this.losesAnswer = false;
    throw new Error('the connection broke after the commit');
  };
}
