import type { ArchiveFault } from '@portcullis/core/skills/archive/archive-fault';
import type { SkillAssessment } from '@portcullis/core/skills/finding';
import { readPackage } from '@portcullis/core/skills/package/read-package';
import { skillLimits } from '@portcullis/core/skills/package/skill-limits';
import { splitSkills, type SkillFolder } from '@portcullis/core/skills/package/split-skills';
import type { SkillScanner } from '@portcullis/core/skills/scan/scan-skill';
import { UnreadablePath } from '../command.ts';
import { isInHistory } from './read-folder.ts';
import { readTarget, type Target } from './read-target.ts';

/** A skill and what is said of it. */
export interface ScannedSkill {
  /** The path that was asked for. */
  readonly path: string;
  readonly kind: Target['kind'];
  /** Its folder below that path; empty for the whole. */
  readonly folder: string;
  readonly assessment: SkillAssessment;
}

/** An archive that was not opened. */
export interface RefusedArchive {
  readonly path: string;
  readonly fault: ArchiveFault;
}

export interface ScanResult {
  readonly skills: readonly ScannedSkill[];
  readonly refused: readonly RefusedArchive[];
}

/** Scans what each path holds. Throws UnreadablePath. */
export async function scanTargets(
  scanner: SkillScanner,
  folder: string,
  paths: readonly string[],
): Promise<ScanResult> {
  const skills: ScannedSkill[] = [];
  const refused: RefusedArchive[] = [];
  for (const path of paths) {
    const target = await readTarget(folder, path);
    if (target.fault === undefined) skills.push(...scanSkills(scanner, path, target));
    else refused.push({ path, fault: target.fault });
  }
  return { skills, refused };
}

type ReadTarget = Exclude<Target, { readonly fault: ArchiveFault }>;

function scanSkills(scanner: SkillScanner, path: string, { kind, files, unread }: ReadTarget): readonly ScannedSkill[] {
  const folders = splitSkills(files).flatMap(withoutForeignHistory);
  // What was not read stands with the skill in whose folder it lies, so that exactly that one is not called harmless.
  const folderOf = (one: string): string =>
    folders.find(({ folder }) => folder !== '' && one.startsWith(`${folder}/`))?.folder ?? '';
  const unreadBy = Map.groupBy(unread, (one) => folderOf(one.path));
  const isRestMissing = unreadBy.has('') && !folders.some(({ folder }) => folder === '');
  return [...folders, ...(isRestMissing ? [{ folder: '', files: [] }] : [])].map(({ folder, files: inside }) => {
    const skill = readOrThrow(path, folder, inside);
    const notes = (unreadBy.get(folder) ?? []).map(
      (one) => `${folder === '' ? one.path : one.path.slice(folder.length + 1)}: ${one.reason}`,
    );
    // Of an archive that was not opened the note says why, so that it is enough.
    const known = new Set(notes.map(pathOfNote));
    const others = skill.incomplete.filter((note) => !known.has(pathOfNote(note)));
    return { path, kind, folder, assessment: scanner.scan({ ...skill, incomplete: [...others, ...notes] }) };
  });
}

/**
 * The history of a repository around skills is none of theirs; that within a skill may be run by it. Of a long one the
 * files that a skill may have are read.
 */
function withoutForeignHistory(group: SkillFolder): readonly SkillFolder[] {
  const isSkill = group.files.some(({ path }) => /^SKILL\.md$/i.test(path));
  const own = group.files.filter(({ path }) => !isInHistory(path));
  const history = isSkill ? group.files.filter(({ path }) => isInHistory(path)) : [];
  const files = [...own, ...history.slice(0, Math.max(0, skillLimits.files - own.length))];
  return files.length === 0 ? [] : [{ ...group, files }];
}

const pathOfNote = (note: string): string => note.split(': ', 1)[0] ?? '';

function readOrThrow(path: string, folder: string, files: ReadTarget['files']): ReturnType<typeof readPackage> {
  try {
    return readPackage(files);
  } catch (error) {
    if (error instanceof RangeError)
      throw new UnreadablePath(`${[path, folder].filter((part) => part !== '').join('/')}: ${error.message}`);
    throw error;
  }
}
