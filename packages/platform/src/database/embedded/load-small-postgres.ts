import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PGliteOptions } from '@electric-sql/pglite';

/** What of it is used here: Node's types leave it to those of browsers. */
declare const WebAssembly: { compile(program: Uint8Array): Promise<PGliteOptions['pgliteWasmModule']> };

/** `env.memory`, with at least 2,048 pages, as PGlite's PostgreSQL imports it. */
const wantedMemory = Buffer.from('\x03env\x06memory\x02\x01\x80\x10', 'latin1');
const pages = 256;
const pageBytes = 65_536;

/**
 * PGlite copies all of its memory, and writes the copy back before each of a dozen steps: so it begins with little, and
 * grows. A PostgreSQL that says otherwise what it wants gets that.
 */
export async function loadSmallPostgres(): Promise<Pick<PGliteOptions, 'pgliteWasmModule' | 'initialMemory'>> {
  const program = await readFile(fileURLToPath(import.meta.resolve('@electric-sql/pglite/pglite.wasm')));
  const place = program.indexOf(wantedMemory);
  if (place === -1) return {};
  // Two bytes, of seven bits each.
  program.set([0x80 | (pages & 0x7f), pages >> 7], place + wantedMemory.length - 2);
  return { pgliteWasmModule: await WebAssembly.compile(program), initialMemory: pages * pageBytes };
}
