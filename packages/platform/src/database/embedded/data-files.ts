import { existsSync, writevSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Options = Parameters<NodeFS['init']>[1];

/** What we need of Emscripten, in which PGlite leaves its files to Node.js. */
interface Module {
  readonly FS: {
    readonly getStream: (fd: number) => { readonly nfd?: number } | undefined;
    readonly ErrnoError: new (errno: number) => Error;
  };
  readonly NODEFS: {
    readonly realPath: (node: unknown) => string;
    readonly node_ops: { lookup: (parent: unknown, name: string) => unknown };
  };
}
type WritePieces = (fd: number, pieces: number, count: number, position: bigint, written: number) => number;
type Imports = Record<string, Record<string, unknown>>;
interface Machine {
  readonly wasmMemory: { readonly buffer: ArrayBuffer };
  readonly instantiateWasm: (imports: Imports, done: unknown) => unknown;
}

/** Of WASI: no such file. */
const noEntry = 44;

/** PGlite's files, without what makes two operations dear that come with every few pages of a growing table. */
export class DataFiles extends NodeFS {
  override async init(database: PGlite, options: Options): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(database, options);
    const { wasmMemory, instantiateWasm } = emscriptenOpts as unknown as Machine;
    let files: Module['FS'] | undefined;
    const begin = (module: unknown): void => {
      const { FS, NODEFS } = module as Module;
      files = FS;
      lookFirst(NODEFS, FS);
    };
    const instantiate: Machine['instantiateWasm'] = (imports, done) => {
      const { wasi_snapshot_preview1: wasi = {} } = imports;
      const nodeFile = (fd: number): number | undefined => files?.getStream(fd)?.nfd;
      const write = writeAsTheyAre(wasi['fd_pwrite'] as WritePieces, nodeFile, wasmMemory);
      return instantiateWasm({ ...imports, wasi_snapshot_preview1: { ...wasi, fd_pwrite: write } }, done);
    };
    const { preRun = [] } = emscriptenOpts;
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...preRun, begin], instantiateWasm: instantiate } };
  }
}

/** PostgreSQL asks for a file that no index has before each of its pages; an exception takes longer than to look. */
function lookFirst({ realPath, node_ops }: Module['NODEFS'], { ErrnoError }: Module['FS']): void {
  const { lookup } = node_ops;
  node_ops.lookup = (parent, name) => {
    if (!existsSync(join(realPath(parent), name))) throw new ErrnoError(noEntry);
    return lookup(parent, name);
  };
}

/**
 * New pages and new files of the log are written as many pieces of zeros. Emscripten copies them into new memory, which
 * is no part of V8's heap but makes it collect all of that every few seconds.
 */
function writeAsTheyAre(
  writeOne: WritePieces,
  nodeFile: (fd: number) => number | undefined,
  memory: Machine['wasmMemory'],
): WritePieces {
  return (fd, pieces, count, position, written) => {
    const file = nodeFile(fd);
    if (count === 1 || file === undefined) return writeOne(fd, pieces, count, position, written);
    const places = new Uint32Array(memory.buffer, pieces, 2 * count);
    const bytes = Array.from(
      { length: count },
      (_, index) => new Uint8Array(memory.buffer, places[2 * index], places[2 * index + 1]),
    );
    try {
      new Uint32Array(memory.buffer, written, 1)[0] = writevSync(file, bytes, Number(position));
      return 0;
    } catch {
      // Fails once more, with the number that PostgreSQL understands.
      return writeOne(fd, pieces, count, position, written);
    }
  };
}
