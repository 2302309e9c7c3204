import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Histories of version control hold every file again, packed. */
const ignored: ReadonlySet<string> = new Set(['.git', '.hg', '.svn']);

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

/** The files of a folder within its bounds. Links are never followed. Throws UnreadablePath. */
export async function readFolder(folder: string): Promise<ReadFolder> {
  const files: SubmittedFile[] = [];
  const unread: Unread[] = [];
  let entries = 0;
  let bytes = 0;

  const readFile = async (path: string): Promise<void> => {
    const { size } = await lstat(join(folder, path));
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
        if (!ignored.has(entry.name)) await attempt(path, () => walk(path));
      } else if (entry.isFile()) await attempt(path, () => readFile(path));
      else unread.push({ path, reason: entry.isSymbolicLink() ? 'a symbolic link, which is not followed' : 'no file' });
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

const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error));
