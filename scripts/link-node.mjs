import {
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs after each installation, on the machine's own Node: the pinned Node comes in a package for each kind of machine, and
// everything that runs it finds it in one place. npx runs this too, before anything is installed and each time it meets a
// checkout: where it fails, npx ends without a word and leaves a cache that fails for good. So nothing here ends with an
// error; `install.mjs` looks whether the Node is there, and says so.

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules');
const windows = process.platform === 'win32';
const machine = `${windows ? 'win' : process.platform}-${process.arch}`;

/**
 * Puts a link in its place in one step, and leaves one that is right: another process may be using it.
 * @param {string} target @param {string} link
 */
function ensureLink(target, link) {
  const old = lstatSync(link, { throwIfNoEntry: false });
  if (old?.isSymbolicLink() && readlinkSync(link) === target) return;
  const own = `${link}.${process.pid}`;
  rmSync(own, { force: true });
  symlinkSync(target, own, 'junction');
  // No system renames onto a folder, and Windows onto no link to one.
  if (old !== undefined && (windows || !old.isSymbolicLink())) rmSync(link, { recursive: true, force: true });
  renameSync(own, link);
}

function linkNode() {
  const name = [`node-${machine}`, `node-bin-${machine}`].find((one) => existsSync(join(modules, one)));
  if (name !== undefined) ensureLink(windows ? join(modules, name) : name, join(modules, 'node'));
}

/** For `pnpm exec`, and for npx from every folder of the checkout. */
function linkCommand() {
  const commands = join(modules, '.bin');
  const command = join(commands, 'portcullis');
  mkdirSync(commands, { recursive: true });
  if (!windows) return ensureLink('../../scripts/portcullis.mjs', command);
  writeFileSync(`${command}.cmd`, '@node "%~dp0\\..\\..\\scripts\\portcullis.mjs" %*\r\n');
}

try {
  if (existsSync(modules)) {
    linkNode();
    linkCommand();
  }
} catch (error) {
  process.stderr.write(`Not linked: ${error instanceof Error ? error.message : String(error)}\n`);
}
