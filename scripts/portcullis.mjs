#!/usr/bin/env node
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { runPinned, whyTooOld } from './run-pinned.mjs';

// The command `portcullis`, from any folder: paths of its parameters are those of the caller's folder.

/** Exit codes of the command begin with 0 to 3; this one says that it did not run. */
const fault = 4;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);

try {
  const tooOld = whyTooOld();
  if (tooOld !== undefined) throw new Error(tooOld);
  await ensureInstalled(root, say, 'production');
  const main = join(root, 'apps', 'cli', 'src', 'main.ts');
  process.exitCode = await runPinned(root, process.cwd(), [main, ...process.argv.slice(2)]);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = fault;
}
