import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Read before anything else: detectors get the tables of the folder in PORTCULLIS_TABLES, where it has them, instead of the product's.

const folder = process.env['PORTCULLIS_TABLES'] ?? '';

registerHooks({
  resolve(specifier, context, next) {
    const path = join(folder, specifier);
    return /^\.\/[a-z-]+\.table\.ts$/.test(specifier) && existsSync(path)
      ? next(pathToFileURL(path).href, context)
      : next(specifier, context);
  },
});
