import type { SpoolRecordKind } from '@portcullis/contracts/records';
import type { Database } from '../database/database.ts';
import { makePartitions, type PartitionedTable } from '../database/partitions.ts';
import { problemCode } from '../errors/problem.ts';
import { insertsOfAny, insertsOfNew, type Inserts } from './record-inserts.ts';
import type { RecordForm, RecordLine } from './record-line.ts';
import { rowKinds } from './record-row.ts';

export type SaveRecords = (records: readonly RecordLine[]) => Promise<void>;

/**
 * Saves records with everything that follows from them in one transaction. Records that are in the
 * database already change nothing.
 */
export function createSaveRecords(database: Database): SaveRecords {
  const partitions = createPartitionsOnDemand(database);
  const saveBy = async (inserts: Inserts, records: readonly RecordLine[]): Promise<void> => {
    await partitions.make(records);
    await saveInTransaction(database, inserts, records);
  };
  const saveOnDays = async (inserts: Inserts, records: readonly RecordLine[]): Promise<void> => {
    try {
      await saveBy(inserts, records);
    } catch (error) {
      if (problemCode(error) !== noPartition) throw error;
      // One that was made before has been dropped since.
      partitions.forget();
      await saveBy(inserts, records);
    }
  };
  return async (records) => {
    try {
      await saveOnDays(insertsOfNew, records);
    } catch (error) {
      if (problemCode(error) !== alreadyThere) throw error;
      await saveOnDays(insertsOfAny, records);
    }
  };
}

/** SQLSTATE of a check that failed, which is also how a row without a partition is refused. */
const noPartition = '23514';
/** SQLSTATE of a unique value that comes again. */
const alreadyThere = '23505';

function createPartitionsOnDemand(database: Database) {
  const made = new Set<string>();
  return {
    async make(records: readonly RecordLine[]): Promise<void> {
      for (const [table, missing] of findMissing(records, made)) {
        await makePartitions(database.kysely, table, [...missing]);
        for (const day of missing) made.add(`${table} ${day}`);
      }
    },
    forget: () => made.clear(),
  };
}

/** The days without a partition, by the table. Records of one kind and day come in long runs. */
function findMissing(
  records: readonly RecordLine[],
  made: ReadonlySet<string>,
): ReadonlyMap<PartitionedTable, Set<string>> {
  const missing = new Map<PartitionedTable, Set<string>>();
  const seen: Partial<Record<SpoolRecordKind, string>> = {};
  for (const { kind, day } of records) {
    if (seen[kind] === day) continue;
    seen[kind] = day;
    const table = partitioned[kind];
    if (table === undefined || made.has(`${table} ${day}`)) continue;
    missing.set(table, (missing.get(table) ?? new Set()).add(day));
  }
  return missing;
}

const partitioned: Readonly<Partial<Record<SpoolRecordKind, PartitionedTable>>> = {
  request_log: 'request_logs',
  usage: 'usage_records',
  usage_rough: 'usage_records',
  usage_counted: 'usage_records',
  guardrail_check: 'guardrail_checks',
  tool_call: 'mcp_tool_calls',
  agent_invocation: 'agent_invocations',
};

async function saveInTransaction(database: Database, inserts: Inserts, records: readonly RecordLine[]): Promise<void> {
  const inForm = (form: RecordForm) =>
    Map.groupBy(
      records.filter((record) => record.form === form),
      ({ kind }) => kind,
    );
  const objects = inForm('object');
  await database.kysely.transaction().execute(async (transaction) => {
    for (const form of ['row', 'row_2'] as const) {
      const rows = inForm(form);
      for (const kind of rowKinds) {
        const given = rows.get(kind);
        if (given !== undefined) await inserts[form][kind](transaction, given.map(({ data }) => data).join('\n'));
      }
    }
    for (const kind of saveOrder) {
      const given = objects.get(kind);
      if (given !== undefined) await inserts.objects[kind](transaction, `[${given.map(({ data }) => data).join()}]`);
    }
  });
}

/** The audit chain comes last: its holder waits for nothing else any more, so there is no deadlock. */
const saveOrder = [
  'request_log',
  'usage',
  'usage_rough',
  'usage_counted',
  'canary_planted',
  'canary_seen',
  'guardrail_check',
  'tool_call',
  'tool_sighting',
  'agent_invocation',
  'agent_task',
  'trace_content',
  'alert',
  'audit',
] as const satisfies readonly SpoolRecordKind[];
