import { kindOfBytes, kindOfName, type FileKind } from '../package/file-kind.ts';
import { pathFault, type SubmittedFile } from '../package/read-package.ts';
import { skillLimits } from '../package/skill-limits.ts';
import type { ArchiveFault } from './archive-fault.ts';
import { archiveLimits, createArchiveBudget, type ArchiveBudget } from './archive-limits.ts';
import { parseArchive, type ParsedArchive } from './parse-archive.ts';

export interface OpenedArchives {
  /** The files with those of the archives among them, which stand as `outer.zip!/inner.md` behind their archive. */
  readonly files: readonly SubmittedFile[];
  /** Archives that were not opened, and why. */
  readonly unopened: readonly { readonly path: string; readonly fault: ArchiveFault }[];
}

/** Opens the ZIP archives among files (documents and libraries are such), and those within them. */
export function openArchives(
  files: readonly SubmittedFile[],
  room: ArchiveBudget = createArchiveBudget(),
): OpenedArchives {
  const opened: SubmittedFile[] = [];
  const unopened: OpenedArchives['unopened'][number][] = [];
  const open = (file: SubmittedFile, depth: number): void => {
    const { files: inner, fault } = holdsArchive(file) ? openOne(file, depth, room) : {};
    if (fault !== undefined) unopened.push({ path: file.path, fault });
    opened.push(inner === undefined ? file : { ...file, opened: true });
    for (const { path, bytes } of inner ?? []) open({ path: `${file.path}!/${path}`, bytes }, depth + 1);
  };
  for (const file of files) open(file, 1);
  return { files: opened, unopened };
}

/**
 * The files of a package that came as an archive, with those of the archives in it, or why it is refused: what is put up for
 * others must be readable to its last file.
 */
export function openPackage(bytes: Uint8Array): ParsedArchive {
  const room = createArchiveBudget();
  const parsed = parseArchive(bytes, room);
  if (parsed.fault !== undefined) return parsed;
  const { files, unopened } = openArchives(parsed.files, room);
  const [first] = unopened;
  if (first !== undefined) {
    const { fault, path } = first;
    return { fault: { ...fault, message: `In ${path}: ${fault.message}`, entry: path } };
  }
  if (files.length <= skillLimits.files) return { files };
  const message = `The archive holds ${files.length} files, with those of archives in it; it may hold ${skillLimits.files}.`;
  return { fault: { code: 'too-many-entries', message } };
}

/** Whether a file is a ZIP archive by its first bytes, or by its last ones where a picture stands before it. */
const holdsArchive = ({ path, bytes }: SubmittedFile): boolean =>
  startsAsZip(bytes) || (isMedia(kindOfBytes(bytes)?.kind ?? kindOfName(path)) && endsAsZip(bytes));

const isMedia = (kind: FileKind | undefined): boolean => kind === 'image' || kind === 'document';

const startsAsZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 &&
  bytes[1] === 0x4b &&
  ((bytes[2] === 0x03 && bytes[3] === 0x04) || (bytes[2] === 0x05 && bytes[3] === 0x06));

function endsAsZip(bytes: Uint8Array): boolean {
  const at = bytes.length - 22;
  return at >= 0 && bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === 0x05 && bytes[at + 3] === 0x06;
}

function openOne({ path, bytes }: SubmittedFile, depth: number, room: ArchiveBudget): ParsedArchive {
  if (depth > archiveLimits.nesting) {
    const message = `Archives are opened ${archiveLimits.nesting} deep; this one lies deeper.`;
    return { fault: { code: 'nested-too-deep', message } };
  }
  const parsed = parseArchive(bytes, room);
  const fault = parsed.files?.map((inner) => pathFault(`${path}!/${inner.path}`)).find((one) => one !== undefined);
  return fault === undefined
    ? parsed
    : { fault: { code: 'bad-name', message: `A path in it, with those of the archives around it, ${fault}.` } };
}
