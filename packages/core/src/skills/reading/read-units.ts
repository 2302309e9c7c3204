import type { Language } from '../package/file-kind.ts';
import type { PackageFile } from '../package/read-package.ts';
import { readCodeOnce } from './read-code.ts';
import { readMarkdown } from './read-markdown.ts';
import { placeOfFile } from './place-of-file.ts';
import type { Place, Unit } from './unit.ts';
import { unitsOfCode } from './units-of-code.ts';

const prose: ReadonlySet<Language> = new Set(['markdown', 'text', 'html']);
const known = new WeakMap<PackageFile, readonly Unit[]>();

/** The passages of a file in the order of their start; those within others, as comments are, stand behind them. */
export function readUnits(file: PackageFile): readonly Unit[] {
  let units = known.get(file);
  if (units === undefined) known.set(file, (units = read(file)));
  return units;
}

function read(file: PackageFile): readonly Unit[] {
  const { path, text = '', language = 'text', ordered } = file;
  const ofCode = (written: Language, place: Place): readonly Unit[] =>
    unitsOfCode(text, written, place, 0, false, readCodeOnce(file, text, written));
  // What is ordered to run is a script, whatever it is called and wherever it lies.
  if (ordered !== undefined && language !== 'markdown')
    return ofCode(prose.has(language) || language === 'config' ? ordered : language, 'script');
  if (prose.has(language)) return readMarkdown(text, placeOfFile(path, false));
  return ofCode(language, placeOfFile(path, true));
}
