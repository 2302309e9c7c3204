import { PersistentMap, type Change } from '@portcullis/core/collections/persistent-map';
import { sql } from 'kysely';
import { existsBatch } from '../database/exists-batch.ts';
import type { Database } from '../database/database.ts';
import { readConsistent } from '../database/read-consistent.ts';
import { runTimeSliced } from '../event-loop/run-time-sliced.ts';
import {
  makeTables,
  type Reader,
  type RowsById,
  type SnapshotRows,
  type SnapshotSource,
  type SnapshotSources,
} from './snapshot-source.ts';

/** More changed rows of a table than this are not asked for one by one. */
const maxChangedIds = 5_000;

/**
 * Loads the rows that changed after `previous` and takes the others from it; answers `previous` itself when
 * nothing changed. All at one moment, so that what changed, the rows and the revision belong together; whether
 * anything changed is asked before, since the answer is nearly always no.
 */
export async function loadRows<Named>(
  database: Database,
  sources: SnapshotSources<Named>,
  previous: SnapshotRows<Named> | undefined,
): Promise<SnapshotRows<Named>> {
  if (previous !== undefined && !(await hasChanged(database, previous.revision))) return previous;
  return readConsistent(database, async ({ kysely: reader }) => {
    const { revision, ids } = await loadChanges(reader, previous?.revision);
    const tables = await makeTables(sources, async <Row>(source: SnapshotSource<Row>, name: keyof Named) =>
      previous === undefined || ids === undefined
        ? placeRows(source, await source.load(reader))
        : loadChanged(reader, source, previous[name] as unknown as RowsById<Row>, ids.get(source.kind)),
    );
    return { ...tables, revision };
  });
}

/** Puts rows under the ids of their changes, in slices. */
export const placeRows = <Row>(source: SnapshotSource<Row>, rows: readonly Row[]): Promise<RowsById<Row>> =>
  runTimeSliced(place(source, rows));

/** Entries that go into a map in one step: well below a millisecond. */
const stepSize = 100;

function* place<Row>({ idOf }: SnapshotSource<Row>, rows: readonly Row[]): Generator<undefined, RowsById<Row>> {
  const byId = new Map<string, Row[]>();
  for (const [index, row] of rows.entries()) {
    const id = idOf === undefined ? '' : String(idOf(row));
    const others = byId.get(id);
    if (others === undefined) byId.set(id, [row]);
    else others.push(row);
    if (index % stepSize === 0) yield;
  }
  let table = PersistentMap.empty<string, readonly Row[]>();
  let changes: Change<string, readonly Row[]>[] = [];
  for (const entry of byId) {
    if (changes.push(entry) < stepSize) continue;
    table = table.with(changes);
    changes = [];
    yield;
  }
  return table.with(changes);
}

async function loadChanged<Row>(
  reader: Reader,
  source: SnapshotSource<Row>,
  before: RowsById<Row>,
  ids: readonly string[] = [],
): Promise<RowsById<Row>> {
  if (ids.length === 0) return before;
  if (source.idOf === undefined || ids.length > maxChangedIds) return placeRows(source, await source.load(reader));
  const loaded = await placeRows(source, await source.load(reader, ids));
  return before.with(ids.map((id) => [id, loaded.get(id)] as const));
}

const hasChanged = existsBatch((kysely) =>
  kysely
    .selectFrom('config_changes')
    .select('id')
    .where('revision', '>', sql<number>`${undefined}`),
);

interface Changes {
  /** The highest there is. */
  readonly revision: number;
  /** Of what changed, by kind; undefined when that cannot be told one by one. */
  readonly ids: ReadonlyMap<string, readonly string[]> | undefined;
}

/** What changed after the revision that is known. */
async function loadChanges(reader: Reader, known: number | undefined): Promise<Changes> {
  const { revision, removed } = await reader
    .selectFrom('config_changes_removed')
    .select((columns) => [
      'revision as removed',
      columns
        .selectFrom('config_changes')
        .select(({ fn }) => fn.coalesce(fn.max<number>('revision'), sql<number>`0`).as('latest'))
        .$asScalar()
        .$notNull()
        .as('revision'),
    ])
    .executeTakeFirstOrThrow();
  if (known === undefined || known < removed) return { revision, ids: undefined };
  const rows = await reader
    .selectFrom('config_changes')
    .select(['kind', 'id'])
    .distinct()
    .where('revision', '>', known)
    .execute();
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  return { revision, ids: new Map([...byKind].map(([kind, changes]) => [kind, changes.map(({ id }) => id)])) };
}
