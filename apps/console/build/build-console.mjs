import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

// Builds the console into apps/console/dist where its sources changed since the last build. A build takes the place of the one before
// at once and whole, so that nobody is served half of it.

// Whatever the gateway runs as: with another value the console would be one for its developers.
// oxlint-disable-next-line node/no-process-env -- Vite reads it, and nothing of the gateway does
process.env.NODE_ENV = 'production';

const folder = dirname(import.meta.dirname);
const dist = join(folder, 'dist');
const stampFile = join(dist, '.stamp');
const compress = promisify(brotliCompress);

/** A hash of everything that a build depends on. */
async function stampOf() {
  const hash = createHash('sha256');
  const sources = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter(
      (entry) => entry.isFile() && !/[/\\](?:node_modules|dist)/.test(`${entry.parentPath}/`.slice(folder.length)),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of sources) hash.update(`${file.slice(folder.length)}\n`).update(await readFile(file));
  return hash.digest('hex');
}

async function build(/** @type {string} */ stamp) {
  const fresh = `${dist}.${process.pid}`;
  /** @type {typeof import('vite')} */
  const { build: buildByVite } = await import(createRequire(join(folder, 'package.json')).resolve('vite'));
  try {
    await buildByVite({ root: folder, logLevel: 'warn', build: { outDir: fresh, emptyOutDir: true } });
    await compressAll(fresh);
    await writeFile(join(fresh, '.stamp'), stamp);
    await rm(`${dist}.old`, { recursive: true, force: true });
    if (existsSync(dist)) await rename(dist, `${dist}.old`);
    await rename(fresh, dist);
    await rm(`${dist}.old`, { recursive: true, force: true });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function compressAll(/** @type {string} */ fresh) {
  const names = (await readdir(fresh, { recursive: true })).filter((name) => /\.(?:js|css|svg)$/.test(name));
  for (const name of names) {
    const bytes = await readFile(join(fresh, name));
    const brotli = await compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    await writeFile(join(fresh, `${name}.br`), brotli);
  }
}

const stamp = await stampOf();
const built = existsSync(stampFile) ? await readFile(stampFile, 'utf8') : '';
if (built !== stamp) await build(stamp);
