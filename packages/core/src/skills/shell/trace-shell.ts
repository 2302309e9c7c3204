import type { Detection } from '../detection.ts';
import { kindOfName, type Language } from '../package/file-kind.ts';
import type { PackageFile, SkillPackage } from '../package/read-package.ts';
import { readUnits } from '../reading/read-units.ts';
import { unitFinder } from '../reading/unit-finder.ts';
import type { SkillDetector } from '../skill-rule.ts';
import { placeWeight } from '../weigh.ts';
import { isKnownInstaller } from '../rules/known-hosts.ts';
import { ShellFollower, type ShellEvent } from './follow-shell.ts';
import { shellPieces } from './shell-pieces.ts';
import { interpreters, shells } from './shell-commands.ts';
import type { Content } from './shell-values.ts';

export interface TracedShell {
  readonly detections: readonly Detection[];
  /** The package, with the files that it orders to run marked as such. */
  readonly skill: SkillPackage;
}

const documents: ReadonlySet<Language> = new Set(['markdown', 'text', 'html', 'config']);

/**
 * Follows the shell texts of a package: its documents first, as an agent does, then its scripts, then what those order to
 * run that is called something else.
 */
export function traceShell(skill: SkillPackage, isAboutSecurity: boolean): TracedShell {
  const follower = new ShellFollower();
  const orders = new Map<string, Language>();
  const detections: Detection[] = [];
  const done = new Set<string>();
  const take = (file: PackageFile): void => {
    done.add(file.path);
    detections.push(
      ...traceFile(file, follower, isAboutSecurity, (path, name) => findOrdered(skill, path, name, orders)),
    );
  };
  const isDocument = ({ language = 'text' }: PackageFile): boolean => documents.has(language);
  for (const file of skill.files) if (isDocument(file)) take(file);
  for (const file of skill.files) if (!isDocument(file)) take(withOrder(file, orders));
  for (const file of skill.files) {
    const ordered = withOrder(file, orders);
    if (ordered !== file && isDocument(file)) take(ordered);
  }
  return {
    detections: withoutRepeats(detections),
    skill: { ...skill, files: skill.files.map((file) => withOrder(file, orders)) },
  };
}

function withOrder(file: PackageFile, orders: ReadonlyMap<string, Language>): PackageFile {
  const ordered = orders.get(file.path);
  if (ordered === undefined) return file;
  const named = kindOfName(file.path);
  const isDisguised = named === 'image' || named === 'document' || named === 'archive' || file.kind === 'binary';
  return { ...file, ordered, ...(isDisguised && { disguised: true }) };
}

/** Marks the file of the package that a path of an order means. */
function findOrdered(skill: SkillPackage, path: string, name: string, orders: Map<string, Language>): void {
  const asked = path
    .replace(/^(?:\.{1,2}\/)+/, '')
    .replace(/^[~$][^/]{0,60}\//, '')
    .replace(/^\{[^}]{0,40}\}\//, '');
  if (asked.length < 2) return;
  for (const { path: known, language } of skill.files) {
    if (known !== asked && !known.endsWith(`/${asked}`) && !asked.endsWith(`/${known}`)) continue;
    // What only stands first in a line is a program where it looks like one, and a mention where it is a picture.
    const isRunByName = !interpreters.has(name) && name !== 'source' && name !== '.';
    if (isRunByName && (language === undefined || documents.has(language)) && kindOfName(known) !== undefined) continue;
    if (!orders.has(known)) orders.set(known, languageFor(name, language));
  }
}

const languageFor = (name: string, language: Language | undefined): Language => {
  if (shells.has(name) || name === 'source' || name === '.') return 'shell';
  if (name === 'python' || name === 'ruby' || name === 'php') return name;
  if (name === 'node' || name === 'deno' || name === 'bun') return 'javascript';
  return language === undefined || documents.has(language) ? 'shell' : language;
};

function traceFile(
  file: PackageFile,
  follower: ShellFollower,
  isAboutSecurity: boolean,
  order: (path: string, name: string) => void,
): readonly Detection[] {
  const found: Detection[] = [];
  let unitAt: ReturnType<typeof unitFinder> | undefined;
  for (const piece of shellPieces(file)) {
    for (const event of follower.follow(piece.text, piece.isProse)) {
      if (event.kind === 'run') for (const path of event.content.files ?? []) order(path, event.name);
      const detector = detectorOf(event);
      if (detector === undefined) continue;
      const start = piece.isExact ? piece.from + event.start : piece.from;
      const end = Math.min(piece.end, piece.isExact ? piece.from + event.end : piece.end, start + 400);
      unitAt ??= unitFinder(readUnits(file));
      const unit = unitAt(start);
      const weight = unit === undefined ? 0 : placeWeight(file.text ?? '', unit, [start, end], isAboutSecurity);
      found.push({ detector, file, start, end, weight, trace: traceOf(event) });
    }
  }
  return found;
}

function detectorOf({ kind, content }: ShellEvent): SkillDetector | undefined {
  if (kind === 'made') return 'assembled-name';
  if (kind === 'send') return 'secret-to-network';
  const { urls = [], isDecoded } = content;
  if (urls.length > 0) return downloadDetector(urls, content);
  return isDecoded === true ? 'decoded-to-execution' : undefined;
}

function downloadDetector(urls: readonly string[], { isStored, isVerified }: Content): SkillDetector {
  const strange = urls.filter((url) => !isKnownInstaller(url));
  if (strange.length === 0) return 'known-download-run';
  // An address that a variable holds is one of the caller's.
  const isDoubtful = strange.every((url) => url === '') || (isStored === true && isVerified === true);
  return isDoubtful ? 'doubtful-download-run' : 'download-run';
}

function traceOf({ kind, content, name }: ShellEvent): readonly string[] {
  if (kind === 'made') return [`comes to ${content.text ?? name}`];
  const from = (content.urls ?? []).filter((url) => url !== '').map((url) => url.slice(0, 120));
  return [...from, kind === 'send' ? `sent by ${name}` : `run by ${name}`];
}

/** One of a kind in one place. */
function withoutRepeats(found: readonly Detection[]): readonly Detection[] {
  const byPlace = new Map(found.map((one) => [`${one.detector} ${one.file.path} ${one.start}`, one]));
  return [...byPlace.values()];
}
