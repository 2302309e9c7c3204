import type { SubmittedFile } from './read-package.ts';

/** The files of one skill, with their paths below its folder. */
export interface SkillFolder {
  /** Where it lies; empty for the whole. */
  readonly folder: string;
  readonly files: readonly SubmittedFile[];
}

/**
 * The skills among files: each folder with a SKILL.md, with all below it, and what lies outside of them together. So each is
 * judged by itself, and a folder of examples around it does not make it one.
 */
export function splitSkills(files: readonly SubmittedFile[]): readonly SkillFolder[] {
  const folders = files
    .map(({ path }) => /^(?:(.*)\/)?SKILL\.md$/i.exec(path))
    .filter((found) => found !== null)
    .map(([, folder = '']) => folder)
    .toSorted((one, other) => one.length - other.length);
  const outermost: string[] = [];
  for (const folder of folders) if (!outermost.some((outer) => isWithin(folder, outer))) outermost.push(folder);
  const known = new Set(outermost);
  const byFolder = Map.groupBy(files, ({ path }) => ancestorsOf(path).find((folder) => known.has(folder)) ?? '');
  return Array.from(byFolder, ([folder, inside]) => ({
    folder,
    files: inside.map((file) => (folder === '' ? file : { ...file, path: file.path.slice(folder.length + 1) })),
  })).toSorted((one, other) => (one.folder < other.folder ? -1 : 1));
}

const isWithin = (folder: string, outer: string): boolean =>
  outer === '' || folder === outer || folder.startsWith(`${outer}/`);

/** The folders above a path, the nearest first. */
function ancestorsOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}
