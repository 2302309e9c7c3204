import { collapseBlanks, type Gap, type Padding } from './collapse-blanks.ts';
import { decodeText, type DecodedBytes } from './decode-text.ts';
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
  | 'document'
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
  /** It is not what its name or its first bytes say. */
  readonly disguised?: true | undefined;
  /** The skill orders to run it, in this language. */
  readonly ordered?: Language | undefined;
  /** Where lines of the file are missing in `text`. */
  readonly gaps?: readonly Gap[] | undefined;
  /** Places of `text` that stand out of sight. */
  readonly padded?: readonly Padding[] | undefined;
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
  const { text, isWhole, ...places } = textToRead(source, skillLimits.fileCharacters);
  const named = path === 'SKILL.md' ? sourcePath(text) : path;
  const language = languageOf(named, text);
  const file: PackageFile = { path: named, kind: language, size: source.length, text, language, ...places };
  return {
    files: [isWhole ? file : { ...file, unread: 'too long' }],
    incomplete: isWhole ? [] : [`${named}: too long`],
  };
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
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
  for (const { path } of sorted) {
    const fault = pathFault(path);
    if (fault !== undefined) throw new RangeError(`${JSON.stringify(path.slice(0, 100))}: a path ${fault}`);
  }
  let left: number = skillLimits.packageCharacters;
  const read = new Map<string, PackageFile>();
  // What is told to models and what runs comes first: no heap of data keeps it from being read.
  for (const file of sorted.toSorted((one, other) => urgencyOf(one.path) - urgencyOf(other.path))) {
    const made = readFile(file, left);
    left -= made.text?.length ?? 0;
    read.set(file.path, made);
  }
  const inOrder = sorted.flatMap(({ path }) => read.get(path) ?? []);
  const opened = new Set(sorted.filter((file) => file.opened === true).map(({ path }) => path));
  const incomplete = inOrder
    .filter(({ path, unread }) => unread !== undefined && unread !== 'image' && !opened.has(path))
    .map(({ path, unread = '' }) => `${path}: ${unread}`);
  return { files: inOrder, incomplete };
}

const urgencyOf = (path: string): number => {
  const kind = kindOfName(path);
  if (kind === 'markdown') return 0;
  return kind === undefined || kind === 'config' || kind === 'text' ? 2 : 1;
};

function readFile({ path, bytes }: SubmittedFile, left: number): PackageFile {
  const size = bytes.length;
  const named = kindOfName(path);
  const decoded = decodeText(bytes);
  const first = kindOfBytes(bytes);
  const held = first !== undefined && (first.isCertain || decoded.form === 'binary') ? first.kind : undefined;
  // Programs are named, and not read.
  if ((held ?? named) === 'executable' && decoded.form === 'binary')
    return {
      path,
      kind: 'executable',
      size,
      unread: 'executable',
      ...(contradicts(named, held) && { disguised: true }),
    };
  const most = Math.max(0, Math.min(left, skillLimits.fileCharacters));
  const { text, isWhole, ...places } = textToRead(decoded.text, most);
  const language = languageOf(path, text);
  const isDisguised = contradicts(named, held) || isScriptInDisguise(named, held, decoded);
  const unread = unreadOf(named, held, decoded) ?? (isWhole ? undefined : cutReason(most));
  return {
    path,
    kind: held ?? (decoded.form === 'binary' ? 'binary' : language),
    size,
    text,
    language,
    ...places,
    ...(isDisguised && { disguised: true }),
    ...(unread !== undefined && { unread }),
  };
}

const cutReason = (most: number): UnreadReason =>
  most < skillLimits.fileCharacters ? 'package too large' : 'too long';

/** A program or an archive under the name of something else. */
const contradicts = (named: FileKind | undefined, held: FileKind | undefined): boolean =>
  (held === 'executable' || held === 'archive') &&
  named !== undefined &&
  named !== held &&
  named !== 'binary' &&
  named !== 'executable';

/** A text that begins as a picture does, or a script under the name of a picture, a document or an archive. */
const isScriptInDisguise = (
  named: FileKind | undefined,
  held: FileKind | undefined,
  { form, text }: DecodedBytes,
): boolean => form === 'text' && (held === 'image' || (isNoText(named) && /^#!|^<\?php/.test(text)));

const isNoText = (kind: FileKind | undefined): boolean =>
  kind === 'image' || kind === 'document' || kind === 'archive' || kind === 'executable';

/** Why a file was not read as a text; of pictures, sounds and fonts the readable parts are all there is to read. */
function unreadOf(
  named: FileKind | undefined,
  held: FileKind | undefined,
  { form }: DecodedBytes,
): UnreadReason | undefined {
  if (form === 'text' && held !== 'document') return undefined;
  if (held !== undefined) return held as UnreadReason;
  if (form === 'other-encoding') return 'bad encoding';
  return named === undefined || isNoText(named) ? 'binary' : 'bad encoding';
}

interface TextToRead {
  readonly text: string;
  readonly isWhole: boolean;
  readonly gaps?: readonly Gap[];
  readonly padded?: readonly Padding[];
}

/** A text within its bound: of a longer one the beginning and the end, since what is hidden stands behind what is long. */
function textToRead(whole: string, most: number): TextToRead {
  const { text, gaps, padded } = collapseBlanks(whole);
  const places = { ...(gaps.length > 0 && { gaps }), ...(padded.length > 0 && { padded }) };
  if (text.length <= most) return { text, isWhole: true, ...places };
  const head = Math.floor(most * 0.6);
  const tail = text.length - (most - head);
  const cut = text.slice(head, tail);
  const before = gaps.findLast(([at]) => at <= tail)?.[1] ?? 0;
  const missing = cut.split('\n').length - 2 + before;
  const moved = (at: number): number => at - tail + head + 1;
  return {
    text: `${text.slice(0, head)}\n${text.slice(tail)}`,
    isWhole: false,
    gaps: [
      ...gaps.filter(([at]) => at <= head),
      [head + 1, missing],
      ...gaps.filter(([at]) => at > tail).map(([at, lines]): Gap => [moved(at), lines + missing - before]),
    ],
    padded: [
      ...padded.filter(({ at }) => at < head),
      ...padded.filter(({ at }) => at > tail).map((one) => ({ ...one, at: moved(one.at) })),
    ],
  };
}
