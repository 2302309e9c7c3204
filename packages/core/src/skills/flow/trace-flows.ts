import type { Detection } from '../detect/detection.ts';
import type { Language } from '../package/file-kind.ts';
import type { PackageFile, SkillPackage } from '../package/read-package.ts';
import { placeOfFile } from '../reading/place-of-file.ts';
import { findAssembledNames } from './assembled-names.ts';
import { FileTracer, type FunctionSummary } from './trace-file.ts';
import { codeSink, commandSink, networkSink, sources } from './value-kinds.ts';

const followed: ReadonlySet<Language> = new Set(['python', 'javascript', 'shell', 'powershell', 'ruby', 'go', 'php']);

/** So often the files of a package are gone through anew, since they call each other. */
const mostRounds = 3;
/** Larger files are bundles; they are searched and not followed. */
const mostFollowed = 400_000;

const weights = { test: 0.3, reference: 0.5 } as const;

/** What flows from secrets, the network and decoders to the network and to execution, through the files of a package. */
export function traceFlows(skill: SkillPackage): readonly Detection[] {
  const code = skill.files.filter((file) => isFollowed(file));
  const assembled = code
    .filter(({ language }) => language === 'python' || language === 'javascript')
    .flatMap((file) => findAssembledNames(file, weightOf(file)));
  // Where nothing comes in or nothing goes out, nothing flows.
  if (!code.some(hasSource) || !code.some(hasSink)) return assembled;
  const tracers: FileTracer[] = [];
  for (const file of code) {
    const lines = importLines(file);
    tracers.push(new FileTracer(file, weightOf(file), (name) => findImported(tracers, file, lines, name)));
  }
  for (let round = 0; round < mostRounds; round += 1) {
    const changed = tracers.map((tracer) => tracer.run());
    if (tracers.length < 2 || !changed.includes(true)) break;
  }
  return [...assembled, ...tracers.flatMap(({ detections }) => detections)];
}

const isFollowed = ({ language, text }: PackageFile): boolean =>
  language !== undefined && followed.has(language) && text !== undefined && text.length <= mostFollowed;

const hasSource = ({ text = '' }: PackageFile): boolean => sources.some(({ looks }) => looks.test(text));
const hasSink = ({ text = '' }: PackageFile): boolean =>
  [networkSink, codeSink, commandSink].some((looks) => looks.test(text));

function weightOf({ path }: PackageFile): number {
  const place = placeOfFile(path, true);
  return place === 'test' || place === 'reference' ? weights[place] : 1;
}

/** A function of another file that this one imports by the file's name. */
function findImported(
  tracers: readonly FileTracer[],
  { path }: PackageFile,
  lines: readonly string[],
  name: string,
): FunctionSummary | undefined {
  if (name.length < 3) return undefined;
  for (const { file, summaries } of tracers) {
    if (file.path === path) continue;
    const summary = summaries.get(name);
    if (summary === undefined) continue;
    const module = file.path.slice(file.path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
    if (lines.some((line) => line.includes(module))) return summary;
  }
  return undefined;
}

const imports = /\b(?:import|require|from|source|require_relative|include)\b/;
const importLines = ({ text = '' }: PackageFile): readonly string[] =>
  text.split('\n').filter((line) => line.length < 400 && imports.test(line));
