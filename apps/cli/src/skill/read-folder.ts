import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { SubmittedFile } from '@portcullis/core/skills/package/read-package';
import { UnreadablePath } from '../command.ts';
import { readBounded } from './read-bounded.ts';

export const folderLimits = {
  /** Files and folders that are looked at. */
  entries: 20_000,
  /** Of one file, and of all together. */
  fileBytes: 50_000_000,
  bytes: 200_000_000,
} as const;

/** Folders of version control. What they keep packed is no file of its own; all else in them may be run as any other file. */
const histories: ReadonlySet<string> = new Set(['.git', '.hg', '.svn']);

/** First bytes of what version control packs: objects, packs and their lists, indexes, revisions, databases. */
const packed: readonly string[] = [
  '\x78\x01',
  '\x78\x5e',
  '\x78\x9c',
  '\x78\xda',
  'PACK',
  '\xfftOc',
  'RIDX',
  'MIDX',
  'DIRC',
  'CGPH',
  'BITM',
  'SQLite format 3\0',
  '\0\x01\0\x01',
  '\0\x03\0\x01',
  '\0\0\0\x01',
  'dirstate-v2\n',
];

export const isInHistory = (path: string): boolean => path.split('/').some((part) => histories.has(part));

/** What was not read although it may hold something. */
export interface Unread {
  readonly path: string;
  /** For people. */
  readonly reason: string;
}

export interface ReadFolder {
  /** With paths below the folder, by `/` on every system. */
  readonly files: readonly SubmittedFile[];
  readonly unread: readonly Unread[];
}

/**
 * The files of a folder within its bounds. Links are never followed. Throws UnreadablePath.
 * @param forScan what lies in the folders of version control is read, too, but for what is packed there; and a link to what is
 * read anyway is no gap
 */
export async function readFolder(folder: string, forScan = false): Promise<ReadFolder> {
  const files: SubmittedFile[] = [];
  const unread: Unread[] = [];
  let entries = 0;
  let bytes = 0;

  const readFile = async (path: string): Promise<void> => {
    const { size } = await lstat(join(folder, path));
    if (isInHistory(path) && (await isPacked(join(folder, path)))) return;
    if (size > folderLimits.fileBytes || bytes + size > folderLimits.bytes) {
      unread.push({ path, reason: `${size} bytes are more than are read` });
      return;
    }
    const read = await readBounded(join(folder, path), folderLimits.fileBytes);
    bytes += read.length;
    files.push({ path, bytes: read });
  };

  const walk = async (below: string): Promise<void> => {
    const found = await readdir(join(folder, below), { withFileTypes: true });
    entries += found.length;
    if (entries > folderLimits.entries)
      throw new UnreadablePath(
        `${folder} holds more than ${folderLimits.entries} files and folders; name the folders of its skills one by one.`,
      );
    for (const entry of found.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        if (forScan || !histories.has(entry.name)) await attempt(path, () => walk(path));
      } else if (entry.isFile()) await attempt(path, () => readFile(path));
      else if (!entry.isSymbolicLink()) unread.push({ path, reason: 'no file' });
      else if (!forScan || !(await leadsWithin(folder, path)))
        unread.push({ path, reason: 'a symbolic link, which is not followed' });
    }
  };

  const attempt = async (path: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (error instanceof UnreadablePath) throw error;
      unread.push({ path, reason: `cannot be read (${codeOf(error)})` });
    }
  };

  await walk('');
  return { files, unread };
}

async function isPacked(path: string): Promise<boolean> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
  const head = buffer.subarray(0, bytesRead).toString('latin1');
  return packed.some((first) => head.startsWith(first));
}

/** What a link within the folder leads to is read where it lies. */
async function leadsWithin(folder: string, path: string): Promise<boolean> {
  const [root, target] = await Promise.all([realpath(folder), realpath(join(folder, path)).catch(() => '')]);
  return target.startsWith(`${root}${sep}`) && !isInHistory(relative(root, target).split(sep).join('/'));
}

const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error));
