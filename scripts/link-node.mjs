import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs after each installation, on the machine's own Node: the pinned Node comes in a package for each kind of machine, and
// everything that runs it finds it in one place.

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules');
const machine = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const name = [`node-${machine}`, `node-bin-${machine}`].find((one) => existsSync(join(modules, one)));
if (name === undefined) throw new Error(`There is no package of Node for ${machine} among the dependencies`);
const link = join(modules, 'node');
rmSync(link, { recursive: true, force: true });
symlinkSync(process.platform === 'win32' ? join(modules, name) : name, link, 'junction');

// `npx portcullis` looks here first, from every folder of the checkout, and asks no registry.
const commands = join(modules, '.bin');
const command = join(commands, 'portcullis');
mkdirSync(commands, { recursive: true });
for (const old of [command, `${command}.cmd`]) rmSync(old, { force: true });
if (process.platform === 'win32')
  writeFileSync(`${command}.cmd`, '@node "%~dp0\\..\\..\\scripts\\portcullis.mjs" %*\r\n');
else symlinkSync('../../scripts/portcullis.mjs', command);
