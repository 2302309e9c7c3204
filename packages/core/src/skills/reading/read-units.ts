import type { Language } from '../package/file-kind.ts';
import type { PackageFile } from '../package/read-package.ts';
import { readMarkdown } from './read-markdown.ts';
import { placeOfFile } from './place-of-file.ts';
import type { Unit } from './unit.ts';
import { unitsOfCode } from './units-of-code.ts';

const prose: ReadonlySet<Language> = new Set(['markdown', 'text', 'html']);

/** The passages of a file in the order of their start; those within others, as comments are, stand behind them. */
export function readUnits({ path, text = '', language = 'text', ordered }: PackageFile): readonly Unit[] {
  // What is ordered to run is a script, whatever it is called and wherever it lies.
  if (ordered !== undefined && language !== 'markdown')
    return unitsOfCode(text, prose.has(language) || language === 'config' ? ordered : language, 'script', 0, false);
  if (prose.has(language)) return readMarkdown(text, placeOfFile(path, false));
  return unitsOfCode(text, language, placeOfFile(path, true), 0, false);
}
