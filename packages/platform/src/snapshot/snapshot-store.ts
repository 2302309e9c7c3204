import { open, readFile, rename } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { placeRows } from './load-rows.ts';
import {
  makeTables,
  type RowsById,
  type SnapshotRows,
  type SnapshotSource,
  type SnapshotSources,
} from './snapshot-source.ts';

/** The last good rows on disk, so that a data plane starts and serves while the database is away. */
export interface SnapshotStore<Rows> {
  /** Undefined when there is none, or none that can be read. */
  load(): Promise<Rows | undefined>;
  /** Takes its time, a little in each turn of the event loop. Answers how many characters it wrote. */
  save(rows: Rows): Promise<number>;
}

export interface SnapshotStoreParts<Named> {
  readonly path: string;
  readonly sources: SnapshotSources<Named>;
  /** Of the rows in the file: what another version wrote is not read. */
  readonly version: number;
  /** Tells processes apart that keep the same file. */
  readonly writer?: number | undefined;
}

/** Rows in a line of the file, which is rendered and parsed in one step. */
const rowsPerLine = 200;

type Header = { readonly version: number; readonly revision: number };
type Line = readonly [table: string, rows: readonly unknown[]];
/** A file without it is not whole. */
const lastLine = '"end"';

/** Credentials inside stay sealed and keys are hashes, so the file holds no secret in the clear. */
export function createSnapshotStore<Named>({
  path,
  sources,
  version,
  writer = 0,
}: SnapshotStoreParts<Named>): SnapshotStore<SnapshotRows<Named>> {
  const tableNames = Object.keys(sources) as (keyof Named & string)[];

  function* renderLines(rows: SnapshotRows<Named>): Generator<string> {
    yield JSON.stringify({ version, revision: rows.revision } satisfies Header);
    for (const name of tableNames) {
      let some: unknown[] = [];
      for (const group of (rows[name] as RowsById<unknown>).values()) {
        some.push(...group);
        if (some.length < rowsPerLine) continue;
        yield JSON.stringify([name, some]);
        some = [];
      }
      if (some.length > 0) yield JSON.stringify([name, some]);
    }
    yield lastLine;
  }

  async function parseFile(text: string): Promise<SnapshotRows<Named> | undefined> {
    const [first = '', ...lines] = text.trimEnd().split('\n');
    const header = JSON.parse(first) as Header;
    if (header.version !== version || lines.pop() !== lastLine) return undefined;
    const byTable = new Map<string, unknown[]>(tableNames.map((name) => [name, []]));
    for (const line of lines) {
      const [name, rows] = JSON.parse(line) as Line;
      byTable.get(name)?.push(...rows);
      await setImmediate();
    }
    const tables = await makeTables(sources, <Row>(source: SnapshotSource<Row>, name: keyof Named) =>
      placeRows(source, (byTable.get(name as string) ?? []) as Row[]),
    );
    return { ...tables, revision: header.revision };
  }

  return {
    async load() {
      try {
        return await parseFile(await readFile(path, 'utf8'));
      } catch {
        return undefined;
      }
    },

    async save(rows) {
      const draft = `${path}.new${writer}`;
      await using file = await open(draft, 'w', 0o600);
      let characters = 0;
      for (const line of renderLines(rows)) {
        await file.appendFile(`${line}\n`);
        characters += line.length;
      }
      await file.sync();
      await rename(draft, path);
      return characters;
    },
  };
}
