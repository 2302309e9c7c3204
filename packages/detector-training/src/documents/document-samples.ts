import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, type Dirent } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { paragraphsOfManual } from '../languages/strip-markup.ts';
import type { Sample } from '../sample.ts';

const root = join(import.meta.dirname, '../../../..');

/** Documents that people paste are so long, in bytes. */
const [shortest, longest] = [5_000, 60_000];

/** Of one package and kind, so that none outweighs the others. */
const mostOfPackage = 3;

/** Two of so many manual pages are read. */
const manualStride = 24;

/** What stands in folders of packages, by the name of the file. */
const kinds: readonly { readonly kind: string; readonly name: RegExp }[] = [
  { kind: 'readme', name: /^readme[^/]*$/i },
  { kind: 'changelog', name: /^(?:changelog|changes|history|news)\b[^/]*$/i },
  { kind: 'licence', name: /^(?:licen[cs]e|notice|copying|copyright|third-?party)[^/]*$/i },
  { kind: 'javascript', name: /\.[cm]?js$/ },
  { kind: 'declarations', name: /\.d\.[cm]?ts$/ },
];

/** Documents without labels, that are all harmless: of installed packages, of the system, manual pages in English. */
export function documentSamples(): readonly Sample[] {
  return [
    ...packageDocuments(),
    ...foldersOf('/usr/share/doc').flatMap(({ name, folder }) => documentsOf(`system/${name}`, filesOf(folder, 1))),
    ...manualPages(),
    ...filesOf('/usr/share/common-licenses', 0).flatMap((path) => sampleOf(path, 'licence', basename(path))),
  ];
}

/** Those of the packages that this repository has installed, which are the same everywhere. */
const packageDocuments = (): readonly Sample[] =>
  installedPackages().flatMap(({ name, folder }) => documentsOf(name, filesOf(folder, 3)));

const hash = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();

/** Every second package is held out, by the hash of its name; two versions of one are on the same side. */
const halfOf = (name: string): NonNullable<Sample['half']> => (hash(name) % 2 === 0 ? 'tuned' : 'held');

function documentsOf(name: string, files: readonly string[]): readonly Sample[] {
  return kinds.flatMap(({ kind, name: pattern }, index) =>
    files
      .filter(
        (path) => kinds.findIndex((known) => known.name.test(basename(path))) === index && pattern.test(basename(path)),
      )
      .flatMap((path) => sampleOf(path, kind, name))
      .slice(0, mostOfPackage),
  );
}

/** By hash, since some programs have a page for each of a thousand subcommands. */
function manualPages(): readonly Sample[] {
  const pages = foldersOf('/usr/share/man', /^man[1-8]$/).flatMap(({ folder }) =>
    entriesOf(folder).map(({ name }) => join(folder, name)),
  );
  return pages
    .filter((path) => path.endsWith('.gz') && hash(basename(path)) % manualStride < 2)
    .flatMap((path) => sampleOf(path, 'manual page', basename(path), (text) => paragraphsOfManual(text).join('\n\n')));
}

function sampleOf(path: string, kind: string, name: string, read = (text: string) => text): readonly Sample[] {
  const bytes = readFileSync(path);
  const text = read((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
  if (text.length < shortest || text.length > longest) return [];
  const id = `${name}/${basename(path)}`;
  return [{ id, text, label: 'benign', category: kind, file: name, channel: 'user', half: halfOf(name) }];
}

const entriesOf = (folder: string): readonly Dirent[] =>
  existsSync(folder) ? readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1)) : [];

/** Files of a folder and `depth` folders below it that may be of the right size. Links are left out. */
function filesOf(folder: string, depth: number): readonly string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth > 0 && entry.name !== 'node_modules' ? filesOf(path, depth - 1) : [];
    if (!entry.isFile()) return [];
    return statSync(path).size <= longest ? [path] : [];
  });
}

const foldersOf = (folder: string, names = /./): readonly { readonly name: string; readonly folder: string }[] =>
  entriesOf(folder)
    .filter((entry) => entry.isDirectory() && names.test(entry.name))
    .map(({ name }) => ({ name, folder: join(folder, name) }));

/** One version of each package that this repository has installed. */
function installedPackages(): readonly { readonly name: string; readonly folder: string }[] {
  const folders = new Map<string, string>();
  for (const { folder } of foldersOf(join(root, 'node_modules/.pnpm'))) {
    const modules = join(folder, 'node_modules');
    const found = foldersOf(modules).flatMap((entry) =>
      entry.name.startsWith('@') ? foldersOf(entry.folder) : [entry],
    );
    for (const entry of found) folders.set(relative(modules, entry.folder), entry.folder);
  }
  return [...folders].map(([name, folder]) => ({ name, folder }));
}
