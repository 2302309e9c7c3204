import { kindOfBytes, kindOfName, languageOf, type FileKind, type Language } from './file-kind.ts';
import { skillLimits } from './skill-limits.ts';

/** A file as it was submitted. `path` is relative to the skill's folder, with `/`. */
export interface SubmittedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Of an archive: its files are submitted beside it. */
  readonly opened?: true | undefined;
}

/** Why a file was not read as a text, or not wholly. */
export type UnreadReason =
  | 'binary'
  | 'image'
  | 'archive'
  | 'executable'
  | 'bad encoding'
  | 'too long'
  | 'package too large';

export interface PackageFile {
  readonly path: string;
  readonly kind: FileKind;
  readonly size: number;
  readonly text?: string | undefined;
  readonly language?: Language | undefined;
  readonly unread?: UnreadReason | undefined;
  /** Its first bytes contradict its name. */
  readonly disguised?: true | undefined;
}

export interface SkillPackage {
  /** In the order of their paths, so that the same files give the same findings in the same order. */
  readonly files: readonly PackageFile[];
  /** What could not be read although it may hold something, for people. */
  readonly incomplete: readonly string[];
}

const odd = /^\/|^[A-Za-z]:|\\|(?:^|\/)\.\.(?:\/|$)|\p{Cc}|[\u202A-\u202E\u2066-\u2069\u200B-\u200D\uFEFF]/u;

/** Why a path is refused; undefined where it is fine. */
export function pathFault(path: string): string | undefined {
  if (path === '' || path.length > skillLimits.pathLength) return `must have 1 to ${skillLimits.pathLength} characters`;
  if (path.split('/').length > skillLimits.pathDepth) return `must not be deeper than ${skillLimits.pathDepth} folders`;
  return odd.test(path) ? 'must be relative, inside the package and free of control characters' : undefined;
}

/** A single source as a package: a name that says what it is helps, and is not needed. */
export function packageOfSource(source: string, path = 'SKILL.md'): SkillPackage {
  const text = source.slice(0, skillLimits.fileCharacters);
  const named = path === 'SKILL.md' ? sourcePath(text) : path;
  const language = languageOf(named, text);
  const whole = text.length === source.length;
  const file: PackageFile = { path: named, kind: language, size: source.length, text, language };
  return { files: [whole ? file : { ...file, unread: 'too long' }], incomplete: whole ? [] : [`${named}: too long`] };
}

const endings: Partial<Record<Language, string>> = {
  python: 'py',
  javascript: 'js',
  shell: 'sh',
  powershell: 'ps1',
  php: 'php',
  go: 'go',
};

function sourcePath(text: string): string {
  const ending = endings[languageOf('', text)];
  return ending === undefined ? 'SKILL.md' : `source.${ending}`;
}

/**
 * The files of a skill, told apart and decoded within the bounds. Throws a RangeError on more files than are read and on a
 * path that no package may have.
 */
export function readPackage(files: readonly SubmittedFile[]): SkillPackage {
  if (files.length > skillLimits.files) throw new RangeError(`a skill has at most ${skillLimits.files} files`);
  const incomplete: string[] = [];
  let left: number = skillLimits.packageCharacters;
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
  const read = sorted.map((file): PackageFile => {
    const fault = pathFault(file.path);
    if (fault !== undefined) throw new RangeError(`${JSON.stringify(file.path.slice(0, 100))}: a path ${fault}`);
    const made = readFile(file, left);
    left -= made.text?.length ?? 0;
    if (made.unread !== undefined && made.unread !== 'image' && file.opened === undefined)
      incomplete.push(`${file.path}: ${made.unread}`);
    return made;
  });
  return { files: read, incomplete };
}

function readFile({ path, bytes }: SubmittedFile, left: number): PackageFile {
  const size = bytes.length;
  const named = kindOfName(path);
  const held = kindOfBytes(bytes);
  if (held !== undefined) {
    const disguised = named !== undefined && named !== held && named !== 'binary' && named !== 'executable';
    return { path, kind: held, size, unread: held as UnreadReason, ...(disguised ? { disguised } : {}) };
  }
  if (named === 'image' || named === 'archive' || named === 'executable')
    return { path, kind: named, size, unread: named };
  const text = decode(bytes);
  if (text === undefined)
    return { path, kind: 'binary', size, unread: named === undefined ? 'binary' : 'bad encoding' };
  const most = Math.min(left, skillLimits.fileCharacters);
  const language = languageOf(path, text);
  const file = { path, kind: language, size, text: text.slice(0, Math.max(0, most)), language };
  if (text.length <= most) return file;
  return { ...file, unread: most < skillLimits.fileCharacters ? 'package too large' : 'too long' };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const utf16 = new TextDecoder('utf-16le');

/** The text of bytes in UTF-8, or in UTF-16 with its mark. */
function decode(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16.decode(bytes);
  if (bytes.subarray(0, 8_192).includes(0)) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
