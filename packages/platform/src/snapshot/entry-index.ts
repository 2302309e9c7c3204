import { PersistentMap, type Change } from '@portcullis/core/collections/persistent-map';
import type { RowsById } from './snapshot-source.ts';

/** Rows that are compiled in one step: well below a millisecond. */
const stepSize = 100;

/** Entries compiled from the rows of one table, of which a change compiles only what it touched. */
export class EntryIndex<Row, Key extends string | number, Entry> {
  readonly #keyOf: (row: Row) => Key;
  readonly #compile: (row: Row) => Entry;
  #rows: RowsById<Row> = PersistentMap.empty();
  #entries = PersistentMap.empty<Key, Entry>();

  constructor(keyOf: (row: Row) => Key, compile: (row: Row) => Entry) {
    this.#keyOf = keyOf;
    this.#compile = compile;
  }

  /** The entries of these rows; the same as before where nothing changed. */
  *follow(rows: RowsById<Row>): Generator<undefined, PersistentMap<Key, Entry>> {
    const ids = [...rows.changedKeys(this.#rows)];
    // What goes makes room before anything comes: a key may move from one row to another.
    let entries = this.#entries;
    for (const some of stepsOf(ids)) {
      entries = entries.with(changesOf(some, this.#rows, (row) => [this.#keyOf(row), undefined]));
      yield;
    }
    for (const some of stepsOf(ids)) {
      entries = entries.with(changesOf(some, rows, (row) => [this.#keyOf(row), this.#compile(row)]));
      yield;
    }
    this.#rows = rows;
    this.#entries = entries;
    return entries;
  }
}

/** The entries of a table that belong to groups, such as the access to each proxy. */
export class GroupedIndex<Row, Entry> {
  readonly #placeOf: (row: Row) => readonly [group: number, key: number];
  #compile: ((row: Row) => Entry) | undefined;
  #rows: RowsById<Row> = PersistentMap.empty();
  #groups = PersistentMap.empty<number, PersistentMap<number, Entry>>();

  constructor(placeOf: (row: Row) => readonly [group: number, key: number]) {
    this.#placeOf = placeOf;
  }

  /** @param compile another function than before compiles all rows anew */
  *follow(
    rows: RowsById<Row>,
    compile: (row: Row) => Entry,
  ): Generator<undefined, PersistentMap<number, PersistentMap<number, Entry>>> {
    const isNew = compile !== this.#compile;
    const before: RowsById<Row> = isNew ? PersistentMap.empty() : this.#rows;
    let groups = isNew ? PersistentMap.empty<number, PersistentMap<number, Entry>>() : this.#groups;
    const ids = [...rows.changedKeys(before)];
    const change = (row: Row, entry: Entry | undefined) => {
      const [group, key] = this.#placeOf(row);
      const known = groups.get(group) ?? PersistentMap.empty<number, Entry>();
      groups = groups.with([[group, known.with([[key, entry]])]]);
    };
    for (const some of stepsOf(ids)) {
      for (const id of some) for (const row of before.get(id) ?? []) change(row, undefined);
      yield;
    }
    for (const some of stepsOf(ids)) {
      for (const id of some) for (const row of rows.get(id) ?? []) change(row, compile(row));
      yield;
    }
    this.#compile = compile;
    this.#rows = rows;
    this.#groups = groups;
    return groups;
  }
}

const changesOf = <Row, Key, Entry>(
  ids: readonly string[],
  rows: RowsById<Row>,
  render: (row: Row) => Change<Key, Entry>,
): Change<Key, Entry>[] => ids.flatMap((id) => (rows.get(id) ?? []).map(render));

function* stepsOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += stepSize) yield ids.slice(from, from + stepSize);
}
