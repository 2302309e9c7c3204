import { globSync, readFileSync, realpathSync } from 'node:fs';
import { root } from './steps.mjs';
import { pathToFileURL } from 'node:url';

// A check of `npm run check`: everything that is installed has a licence that fits Apache-2.0.

const allowed = new Set(
  `MIT MIT-0 ISC Apache-2.0 0BSD BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 CC-BY-4.0 Zlib Unlicense Python-2.0`.split(
    ' ',
  ),
);

/** Packages that were looked at by hand, and what their licence is. */
const known = new Map([
  ['png-js', 'MIT, which its manifest does not say'],
  ['axe-core', 'MPL-2.0, used by tests and not changed'],
  ['lightningcss', 'MPL-2.0, a tool of development that is not changed'],
  ['@modelcontextprotocol/server-everything', 'MIT and Apache-2.0, used by tests'],
  ['@modelcontextprotocol/inspector', 'MIT and Apache-2.0, used by tests'],
  ['@a2a-js/sdk', 'Apache-2.0, which the manifest of its version 0.2 does not say, used by tests'],
]);

/** @param {string} expression of SPDX, of which manifests use OR, AND and parentheses around the whole */
export function isAllowed(expression) {
  return expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => allowed.has(licence)));
}

/** @returns {string[]} one line for each package whose licence does not fit or is not told */
export function findProblems(/** @type {string} */ folder) {
  /** @type {Set<string>} */
  const problems = new Set();
  for (const file of globSync('node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json', { cwd: folder })) {
    /** @type {{ name?: string, version?: string, license?: unknown }} */
    const { name = file, version, license } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
    const isKnown = known.has(name) || [...known.keys()].some((prefix) => name.startsWith(`${prefix}-`));
    if (isKnown || (typeof license === 'string' && isAllowed(license))) continue;
    problems.add(`${name}@${version}: ${typeof license === 'string' ? license : 'no licence told'}`);
  }
  return [...problems].sort();
}

if (pathToFileURL(realpathSync(process.argv[1] ?? '')).href === import.meta.url) {
  const problems = findProblems(root);
  for (const problem of problems) console.log(problem);
  if (problems.length > 0)
    console.log('\nLook at each licence, then allow it or name the package in scripts/check-licences.mjs.');
  process.exitCode = problems.length === 0 ? 0 : 1;
}
