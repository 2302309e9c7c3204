import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { problemCode } from '@portcullis/platform/errors/problem';

/** Files of packages, named by the SHA-256 of their bytes. */
export interface PackageStore {
  /** The file is there whole, or not at all. @throws {GatewayError} `storage_full` */
  save(sha256: string, bytes: Uint8Array): Promise<void>;
  /** Undefined for a file that is not there, or whose bytes are not those that its name says. */
  load(sha256: string): Promise<Uint8Array | undefined>;
  /** Where the file is kept, if it is there. */
  locate(sha256: string): string;
  /** Removes what a crash left, and files that `isNeeded` does not know. Young ones are left: their rows may be on the way. */
  sweep(isNeeded: (hashes: readonly string[]) => Promise<ReadonlySet<string>>): Promise<number>;
}

/** Writes a file so that it is on disk when it resolves. Replaced in tests that make a disk full. */
type WriteFile = (path: string, bytes: Uint8Array) => Promise<void>;

const ending = '.zip';
const youngMs = 600_000;
const full = new Set(['ENOSPC', 'EDQUOT']);

export function createPackageStore(folder: string, writeSynced: WriteFile = writeFileSynced): PackageStore {
  const pathOf = (sha256: string): string => join(folder, `${sha256}${ending}`);
  return {
    async save(sha256, bytes) {
      const temporary = join(folder, `${sha256}.${randomUUID()}.tmp`);
      try {
        await mkdir(folder, { recursive: true });
        await writeSynced(temporary, bytes);
        await rename(temporary, pathOf(sha256));
        await syncFolder(folder);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        if (!full.has(problemCode(error) ?? '')) throw error;
        throw new GatewayError('storage_full', { message: 'The disk of the packages is full', cause: error });
      }
    },

    async load(sha256) {
      const bytes = await readFile(pathOf(sha256)).catch((error: unknown) => {
        if (problemCode(error) === 'ENOENT') return undefined;
        throw error;
      });
      return bytes !== undefined && (await hashInBackground(bytes)) === sha256 ? bytes : undefined;
    },

    locate: pathOf,

    async sweep(isNeeded) {
      const names = await readdir(folder).catch((error: unknown) => {
        if (problemCode(error) === 'ENOENT') return [];
        throw error;
      });
      const old: string[] = [];
      for (const name of names.filter((one) => /^[0-9a-f]{64}\.(?:zip|[-0-9a-f]{36}\.tmp)$/.test(one))) {
        const facts = await stat(join(folder, name)).catch(() => undefined);
        if (facts !== undefined && Date.now() - facts.mtimeMs > youngMs) old.push(name);
      }
      const kept = await isNeeded(old.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, 64)));
      const lost = old.filter((name) => !name.endsWith(ending) || !kept.has(name.slice(0, 64)));
      for (const name of lost) await rm(join(folder, name), { force: true });
      return lost.length;
    },
  };
}

/** Packages are large: the hash is made beside the service's own loop. */
const hashInBackground = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');

async function writeFileSynced(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(bytes);
  await file.sync();
}

/** So that the new name outlives a power failure. Not every system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
