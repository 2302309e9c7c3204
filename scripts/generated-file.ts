import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);

/**
 * Writes a generated file, or with `--check` on the command line compares it and makes the process
 * fail when it differs.
 * @param path relative to the repository's root
 */
export function saveGenerated(path: string, text: string): void {
  const file = join(root, path);
  if (process.argv.includes('--check')) {
    if (readIfThere(file) === text) return;
    console.error(`${path} is out of date: run "npm run generate" and commit what it wrote.`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`wrote ${path}`);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
