import type { Language } from '../package/file-kind.ts';
import { readCode, type CodeReading } from './read-code.ts';
import type { Place, Unit } from './unit.ts';

/** Statements and comments of a piece of code that begins at `from` of its file. */
export function unitsOfCode(
  text: string,
  language: Language,
  place: Place,
  from: number,
  isWarning: boolean,
  { statements, comments }: CodeReading = readCode(text, language),
): Unit[] {
  const unit = (start: number, end: number, isCode: boolean, where: Place): Unit => ({
    start: start + from,
    end: end + from,
    isCode,
    place: where,
    language,
    isWarning,
  });
  const inTest = place === 'test' || place === 'reference';
  return [
    ...statements.map(({ start, end }) => unit(start, end, true, place)),
    ...comments.map(({ start, end, isDocstring }) =>
      unit(start, end, false, inTest ? place : isDocstring ? 'docstring' : 'comment'),
    ),
  ];
}
