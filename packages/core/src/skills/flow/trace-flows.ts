import type { Detection } from '../detection.ts';
import type { Language } from '../package/file-kind.ts';
import type { PackageFile, SkillPackage } from '../package/read-package.ts';
import { findFences } from '../reading/find-fences.ts';
import { placeOfFile } from '../reading/place-of-file.ts';
import { findAssembledNames } from './assembled-names.ts';
import type { CodePiece } from './code-piece.ts';
import { FileTracer, type FunctionSummary } from './trace-file.ts';
import { codeSink, commandSink, networkSink, sources } from './value-kinds.ts';

const followed: ReadonlySet<Language> = new Set(['python', 'javascript', 'shell', 'powershell', 'ruby', 'go', 'php']);

/** So often the files of a package are gone through anew, since they call each other. */
const mostRounds = 3;
/** Larger files are bundles; they are searched and not followed. */
const mostFollowed = 400_000;
/** Of one document so many blocks of code are followed. */
const mostFences = 200;

/** What flows from secrets, the network and decoders to the network and to execution, through the files of a package. */
export function traceFlows(skill: SkillPackage, isAboutSecurity: boolean): readonly Detection[] {
  const pieces = skill.files.flatMap((file) => piecesOf(file, isAboutSecurity));
  const assembled = pieces
    .filter(({ language }) => language === 'python' || language === 'javascript')
    .flatMap((piece) => findAssembledNames(piece));
  // Where nothing comes in or nothing goes out, nothing flows.
  if (!pieces.some(hasSource) || !pieces.some(hasSink)) return assembled;
  const tracers: FileTracer[] = [];
  for (const piece of pieces) {
    const lines = importLines(piece);
    const known = new Map<string, FunctionSummary | undefined>();
    const find = (name: string): FunctionSummary | undefined => {
      if (!known.has(name)) known.set(name, findImported(tracers, piece, lines, name));
      return known.get(name);
    };
    tracers.push(new FileTracer(piece, find));
  }
  for (let round = 0; round < mostRounds; round += 1) {
    const changed = tracers.map((tracer) => tracer.run());
    if (tracers.length < 2 || !changed.includes(true)) break;
  }
  return [...assembled, ...tracers.flatMap(({ detections }) => detections)];
}

/** The code of a file: all of it, or the blocks in a document. */
function piecesOf(file: PackageFile, isAboutSecurity: boolean): readonly CodePiece[] {
  const { path, text, ordered } = file;
  const language = ordered !== undefined && file.language !== 'markdown' ? ordered : file.language;
  if (text === undefined || language === undefined || text.length > mostFollowed) return [];
  if (followed.has(language))
    return [{ file, language, text, from: 0, weight: ordered === undefined ? weightOf(path, true) : 1 }];
  if (language !== 'markdown') return [];
  const weight = weightOf(path, false) * (isAboutSecurity ? 0.5 : 1);
  return findFences(text)
    .filter(({ language: written }) => followed.has(written))
    .slice(0, mostFences)
    .map(({ start, end, language: written, isWarning }) => ({
      file,
      language: written,
      text: text.slice(start, end),
      from: start,
      weight: isWarning ? 0.2 * weight : weight,
    }));
}

const hasSource = ({ text }: CodePiece): boolean => sources.some(({ looks }) => looks.test(text));
const hasSink = ({ text }: CodePiece): boolean =>
  [networkSink, codeSink, commandSink].some((looks) => looks.test(text));

function weightOf(path: string, isCode: boolean): number {
  const place = placeOfFile(path, isCode);
  return place === 'test' ? 0.3 : place === 'reference' ? 0.5 : 1;
}

/** A function of another file that this one imports by the file's name. */
function findImported(
  tracers: readonly FileTracer[],
  { file: { path } }: CodePiece,
  lines: readonly string[],
  name: string,
): FunctionSummary | undefined {
  if (name.length < 3) return undefined;
  for (const { piece, summaries } of tracers) {
    if (piece.file.path === path) continue;
    const summary = summaries.get(name);
    if (summary === undefined) continue;
    const module = piece.file.path.slice(piece.file.path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
    if (lines.some((line) => line.includes(module))) return summary;
  }
  return undefined;
}

const imports = /\b(?:import|require|from|source|require_relative|include)\b/;
const importLines = ({ text }: CodePiece): readonly string[] =>
  text.split('\n').filter((line) => line.length < 400 && imports.test(line));
