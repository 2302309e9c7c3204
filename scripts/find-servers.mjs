import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @typedef {{ name: string, debianPackage: string, find: () => string | undefined }} Server
 * `find` answers the folder of its programs.
 */

/** @type {Server} */
export const postgresql = {
  name: 'PostgreSQL',
  debianPackage: 'postgresql',
  find: () => [...pathFolders(), ...debianPostgresqlFolders()].find((folder) => hasAll(folder, ['initdb', 'postgres'])),
};

/** @type {Server} */
export const redis = {
  name: 'Redis',
  debianPackage: 'redis-server',
  find: () => pathFolders().find((folder) => hasAll(folder, ['redis-server'])),
};

/**
 * For the tests of the console, which are left out without it.
 * @type {Server}
 */
export const chromium = {
  name: 'Chromium',
  debianPackage: 'chromium',
  find: () => pathFolders().find((folder) => hasAll(folder, ['chromium'])),
};

const pathFolders = () => (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');

/** Debian keeps them off the PATH, one folder per version; newest first. */
function debianPostgresqlFolders() {
  const base = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(base).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(base, version, 'bin'));
  } catch {
    return [];
  }
}

const hasAll = (/** @type {string} */ folder, /** @type {string[]} */ programs) =>
  programs.every((program) => isExecutable(join(folder, program)));

function isExecutable(/** @type {string} */ path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Installs the servers that are not on this machine, where that can be done.
 * @param {Server[]} servers
 * @param {(line: string) => void} say
 * @throws {Error} that says what to do where it cannot
 */
export function installMissing(servers, say) {
  const missing = servers.filter((server) => server.find() === undefined);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(' and ');
  const packages = missing.map(({ debianPackage }) => debianPackage);
  const advice = `Install ${names} (on Debian: apt-get install ${packages.join(' ')}), or point TEST_DATABASE_URL and TEST_REDIS_URL to running servers.`;
  if (process.getuid?.() !== 0 || !pathFolders().some((folder) => hasAll(folder, ['apt-get']))) {
    throw new Error(`The tests need real servers, and ${names} is not on this machine. ${advice}`);
  }

  say(`Installing ${names} with apt-get ...`);
  try {
    aptGet('update');
    aptGet('install', '--yes', '--no-install-recommends', ...packages);
  } catch (error) {
    throw new Error(`apt-get could not install ${names}. ${advice}\n${String(error)}`, { cause: error });
  }
}

/** Runlevel 1 keeps Debian from starting the servers that it installs. */
const aptGet = (/** @type {string[]} */ ...parameters) =>
  execFileSync('apt-get', ['-qq', ...parameters], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/**
 * The folder of the server's programs.
 * @param {Server} server
 */
export function findOrThrow(server) {
  const folder = server.find();
  if (folder === undefined) throw new Error(`${server.name} is not there although it was just installed`);
  return folder;
}
