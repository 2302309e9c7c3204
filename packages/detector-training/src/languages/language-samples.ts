import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Sample } from '../sample.ts';
import type { UnpackedPackage } from './debian-packages.ts';
import type { Language } from './languages.ts';
import { paragraphsOfHtml, paragraphsOfManual, paragraphsOfSayings } from './strip-markup.ts';

/** Messages are so long, in characters. */
const [shortest, longest] = [200, 1500];

/** So many texts of a package at most, so that no source outweighs the others. */
const mostTexts = 500;
/** The same of a page of a package with many. */
const mostOfPage = 60;

/** A word that everybody uses stands at least once in so many characters. */
const sparsest = 60;

const formats: readonly { readonly path: RegExp; readonly read: (text: string) => readonly string[] }[] = [
  { path: /\/man\/(?:(?!zh_TW)[^/]+\/)?man\d\/[^/]+\.gz$/, read: paragraphsOfManual },
  { path: /\/(?:text\/.+|FAQ\/.+|debian-reference\/(?:ch|pr|ap)[^/]+)\.html$/, read: paragraphsOfHtml },
  { path: /\/fortunes\/(?:.+\/)?[^./]+(?:\.fortunes)?$/, read: paragraphsOfSayings },
];

const formatOf = (path: string): (typeof formats)[number] | undefined =>
  formats.find((format) => format.path.test(`/${path}`));

const hash = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();

/**
 * Prose of a language from one package, cut into texts of the size of messages, which differs as messages do. Of a
 * package that is split, pages are held out every second time, by the hash of their path. The same package gives
 * the same texts.
 */
export function samplesOfPackage(language: Language, source: UnpackedPackage): readonly Sample[] {
  const isSplit = language.split.includes(source.name);
  const pages = readdirSync(source.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source.folder, join(entry.parentPath, entry.name)))
    .filter((path) => formatOf(path) !== undefined)
    .map((path) => ({ path, order: hash(path) }))
    .toSorted((a, b) => a.order - b.order || (a.path < b.path ? -1 : 1));
  const tuned = isSplit ? pages.filter(({ order }) => order % 2 === 0) : [];
  const held = pages.filter((page) => !tuned.includes(page));
  return [...readPages(language, source, tuned, 'tuned'), ...readPages(language, source, held, 'held')];
}

/** Reads pages, in the order of their hashes, until there are texts enough. */
function readPages(
  language: Language,
  { name, folder }: UnpackedPackage,
  pages: readonly { readonly path: string }[],
  half: NonNullable<Sample['half']>,
): readonly Sample[] {
  const samples: Sample[] = [];
  for (const { path } of pages) {
    if (samples.length >= mostTexts) break;
    const paragraphs = formatOf(path)?.read(readText(join(folder, path))) ?? [];
    const texts = cutTexts(paragraphs, path).filter((text) => isIn(language, text));
    for (const [index, text] of texts.slice(0, mostOfPage).entries()) {
      const id = `${name}/${path}#${index}`;
      samples.push({ id, text, label: 'benign', category: language.name, file: name, channel: 'user', half });
    }
  }
  return samples.slice(0, mostTexts);
}

const readText = (path: string): string => {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
};

function cutTexts(paragraphs: readonly string[], path: string): readonly string[] {
  const texts: string[] = [];
  let text = '';
  const wanted = (): number => shortest + (hash(`${path}#${texts.length}`) % (longest - shortest));
  for (const paragraph of paragraphs) {
    if (text.length + paragraph.length >= longest && text.length >= shortest) {
      texts.push(text);
      text = '';
    }
    text = text === '' ? paragraph.slice(0, longest) : `${text}\n\n${paragraph}`.slice(0, longest);
    if (text.length < wanted()) continue;
    texts.push(text);
    text = '';
  }
  return text.length >= shortest ? [...texts, text] : texts;
}

const isIn = ({ frequent }: Language, text: string): boolean =>
  (text.match(frequent)?.length ?? 0) * sparsest >= text.length;
