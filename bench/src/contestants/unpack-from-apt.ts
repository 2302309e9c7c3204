import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Absent, type Rig } from './contestant.ts';

const run = promisify(execFile);

type Place = Pick<Rig, 'cacheFolder' | 'signal' | 'say'>;

/** Fetches under way, by where they go: several contestants may want the same program. */
const underWay = new Map<string, Promise<void>>();

/**
 * The program `file` of the distribution's package `name`, unpacked into the cache. Nothing is installed, no service is started.
 * @throws {Absent} when it cannot be had
 */
export async function unpackFromApt(place: Place, name: string, file: string): Promise<string> {
  const folder = join(place.cacheFolder, name);
  const command = join(folder, file);
  if (existsSync(command)) return command;
  const fetched =
    underWay.get(folder) ?? fetchPackage(place, name, file, folder).finally(() => underWay.delete(folder));
  underWay.set(folder, fetched);
  try {
    await fetched;
  } catch (error) {
    place.signal.throwIfAborted();
    throw new Absent(`${name} is not on the PATH and apt-get could not bring it: ${firstLine(error)}`);
  }
  return command;
}

/** Another run may fetch at the same time: the cache only ever has a whole package, and the first one stays. */
async function fetchPackage({ cacheFolder, signal, say }: Place, name: string, file: string, folder: string) {
  say(`${name}: fetching the package of this distribution ...`);
  await mkdir(cacheFolder, { recursive: true });
  const own = await mkdtemp(`${folder}-`);
  const options = { cwd: own, signal, timeout: 90_000 };
  try {
    await run('apt-get', ['download', name], options).catch(async (error: unknown) => {
      if (process.getuid?.() !== 0) throw error;
      await run('apt-get', ['update'], options);
      await run('apt-get', ['download', name], options);
    });
    const archive = (await readdir(own)).find((entry) => entry.endsWith('.deb')) ?? '';
    await run('dpkg-deb', ['--extract', archive, '.'], options);
    if (!existsSync(join(own, file))) throw new Error(`its package has no ${file}`);
    await moveInto(own, folder, file);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function moveInto(own: string, folder: string, file: string): Promise<void> {
  try {
    await rename(own, folder);
  } catch (error) {
    if (existsSync(join(folder, file))) return;
    // What an interrupted fetch left there.
    await rm(folder, { recursive: true });
    await rename(own, folder).catch(() => {
      throw error;
    });
  }
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
