import { open, readFile, rename } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { placeRows } from './load-snapshot-rows.ts';
import type { SnapshotRows } from './snapshot-rows.ts';
import { makeTables, tableNames, type SnapshotSource } from './snapshot-sources.ts';

/** The last good rows on disk, so that a runtime starts and serves while the database is away. */
export interface SnapshotStore {
  /** Undefined when there is none, or none that can be read. */
  load(): Promise<SnapshotRows | undefined>;
  /** Takes its time, a little in each turn of the event loop. Answers how many characters it wrote. */
  save(rows: SnapshotRows): Promise<number>;
}

const formatVersion = 6;
/** Rows in a line of the file, which is rendered and parsed in one step. */
const rowsPerLine = 200;

type Header = { readonly version: number; readonly revision: number };
type Line = readonly [table: string, rows: readonly unknown[]];
/** A file without it is not whole. */
const lastLine = '"end"';

/**
 * Credentials inside stay sealed and keys are hashes, so the file holds no secret in the clear.
 * @param writer tells processes apart that keep the same file
 */
export const createSnapshotStore = (path: string, writer = 0): SnapshotStore => ({
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
});

function* renderLines(rows: SnapshotRows): Generator<string> {
  yield JSON.stringify({ version: formatVersion, revision: rows.revision } satisfies Header);
  for (const name of tableNames) {
    let some: unknown[] = [];
    for (const group of rows[name].values()) {
      some.push(...group);
      if (some.length < rowsPerLine) continue;
      yield JSON.stringify([name, some]);
      some = [];
    }
    if (some.length > 0) yield JSON.stringify([name, some]);
  }
  yield lastLine;
}

async function parseFile(text: string): Promise<SnapshotRows | undefined> {
  const [first = '', ...lines] = text.trimEnd().split('\n');
  const { version, revision } = JSON.parse(first) as Header;
  if (version !== formatVersion || lines.pop() !== lastLine) return undefined;
  const byTable = new Map<string, unknown[]>(tableNames.map((name) => [name, []]));
  for (const line of lines) {
    const [name, rows] = JSON.parse(line) as Line;
    byTable.get(name)?.push(...rows);
    await setImmediate();
  }
  const tables = await makeTables(<Row>(source: SnapshotSource<Row>, name: string) =>
    placeRows(source, (byTable.get(name) ?? []) as Row[]),
  );
  return { ...tables, revision };
}
