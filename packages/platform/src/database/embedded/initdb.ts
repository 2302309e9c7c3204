/**
 * Writes the files of an empty database into the folder that is the only argument, as a process of its own, which takes
 * what that needs along when it ends. PGlite as it comes would need 600 MiB, these ways make it 230.
 */
import { MemoryFS, PGlite } from '@electric-sql/pglite';
import { memoryParameters, sharedBuffers } from './memory-parameters.ts';
import { loadSmallPostgres } from './load-small-postgres.ts';

type Init = MemoryFS['init'];

/** What of PGlite's module is used here. */
interface Files {
  readonly FS: { mkdirTree(path: string): void; mount(kind: unknown, options: object, path: string): void };
  readonly NODEFS: unknown;
}

/** Where PGlite's PostgreSQL has its files. */
const dataFolder = '/pglite/data';

/**
 * A folder that PGlite takes for files in memory, which `initdb` writes to directly. For files on disk it makes a database
 * in memory first, packs it and unpacks it again.
 */
class DirectFiles extends MemoryFS {
  readonly #directory: string;

  constructor(directory: string) {
    super();
    this.#directory = directory;
  }

  override async init(database: PGlite, given: Parameters<Init>[1]): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(database, given);
    const mount = ({ FS, NODEFS }: Files): void => {
      FS.mkdirTree(dataFolder);
      FS.mount(NODEFS, { root: this.#directory }, dataFolder);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), mount] } };
  }
}

const [, , directory] = process.argv;
if (directory === undefined) throw new Error('The folder of the database is missing');
const database = await PGlite.create({
  ...(await loadSmallPostgres()),
  fs: new DirectFiles(directory),
  initDbStartParams: ['--set', sharedBuffers],
  startParams: [...PGlite.defaultStartParams, ...memoryParameters],
});
await database.close();
