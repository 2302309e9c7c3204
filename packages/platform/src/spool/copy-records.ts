import type { Kysely } from 'kysely';
import { CopyData, copyRows } from '../database/copy-rows.ts';
import { prepare } from '../database/prepared.ts';
import type { Tables } from '../database/tables.ts';
import { isCopied, RowReader, type CopyColumn } from './copy-row.ts';
import { CopyWriter, mostCopyBytes } from './copy-writer.ts';
import { addRequestSums } from './insert-requests.ts';
import { addUsageSums } from './insert-usage.ts';
import { recordColumns, type ColumnTypes } from './record-columns.ts';
import type { RecordLine } from './record-line.ts';
import { rowKinds, type RowKind } from './record-row.ts';
import { RequestSums } from './request-sums.ts';
import { BufferPool } from './buffer-pool.ts';
import { UsageSums } from './usage-sums.ts';

/** A field as it goes over the wire, with its length. */
const field = (bytes: Iterable<number> & ArrayLike<number>) => Uint8Array.of(0, 0, 0, bytes.length, ...bytes);

const noTokens = field(new Uint8Array(8));
const usual: Readonly<Record<string, Uint8Array>> = {
  risk_level: field(Buffer.from('None')),
  cached_input_tokens: noTokens,
  cache_write_tokens: noTokens,
  reasoning_tokens: noTokens,
};

interface CopyOfKind {
  readonly statement: string;
  /** The columns of a row, and one that all rows have beside them. */
  readonly columns: readonly CopyColumn[];
  /** How many of them are copied. */
  readonly fields: number;
}

function copyInto(table: string, types: ColumnTypes, given: readonly CopyColumn[] = []): CopyOfKind {
  const told = Object.entries(types).map(([name, type]) => ({ name, type, usual: usual[name] ?? null }));
  const columns = [...told, ...given];
  const names = columns.filter(isCopied).map(({ name }) => name);
  const statement = `copy ${table} (${names.join(', ')}) from stdin (format binary)`;
  return { statement, columns, fields: names.length };
}

const copies: Readonly<Record<RowKind, CopyOfKind>> = {
  request_log: copyInto('request_logs', recordColumns.request_log),
  usage: copyInto('usage_records', recordColumns.usage),
  usage_rough: copyInto('usage_records', recordColumns.usage, [{ name: 'rough', type: 'given', usual: field([1]) }]),
};
const mostFields = Math.max(...Object.values(copies).map(({ fields }) => fields));

/** Copies rows into the tables of their kinds and adds up what follows. False, and nothing is done, when one cannot be copied. */
export async function copyRecords(kysely: Kysely<Tables>, records: readonly RecordLine[]): Promise<boolean> {
  const textBytes = records.reduce((sum, { dataAt, end }) => sum + end - dataAt, 0);
  const memory = memoryOfCopies.take(mostCopyBytes(records.length, mostFields, textBytes));
  const copy = readRows(records, new CopyWriter(memory));
  if (copy === undefined) return false;
  await copyRows(kysely, copy.statements, copy.data);
  // What failed may still be on its way to a server.
  memoryOfCopies.giveBack(memory);
  if (copy.requests !== undefined) await saveRequestSums(kysely, copy.requests);
  if (copy.usage !== undefined) await saveUsageSums(kysely, copy.usage);
  return true;
}

const memoryOfCopies = new BufferPool();
const saveRequestSums = prepare('save_request_sums', addRequestSums);
const saveUsageSums = prepare('save_usage_sums', addUsageSums);

interface RecordsCopy {
  readonly statements: string;
  readonly data: CopyData;
  /** Sums as JSON; undefined where there is nothing to add. */
  readonly requests: string | undefined;
  readonly usage: string | undefined;
}

/** What copying the records takes; undefined when a row is not as `writeRow` writes it. */
export function readRows(records: readonly RecordLine[], rows: CopyWriter): RecordsCopy | undefined {
  const reader = new RowReader();
  const sums = { request_log: new RequestSums(), usage: new UsageSums() };
  const statements: string[] = [];
  for (const kind of rowKinds) {
    const { statement, columns, fields } = copies[kind];
    const sum = kind === 'request_log' ? sums.request_log : sums.usage;
    for (const record of records) {
      if (record.kind !== kind) continue;
      if (!reader.copy(record, columns, fields, rows)) return undefined;
      sum.add(reader);
    }
    rows.endCopy();
    while (statements.length < rows.copies) statements.push(statement);
  }
  const data = new CopyData(rows.messages);
  return { statements: statements.join('; '), data, requests: sums.request_log.render(), usage: sums.usage.render() };
}
