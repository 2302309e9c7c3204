import { realpath, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { ArchiveFault } from '@portcullis/core/skills/archive/archive-fault';
import { openArchives, openPackage } from '@portcullis/core/skills/archive/open-archives';
import type { SubmittedFile } from '@portcullis/core/skills/package/read-package';
import { UnreadablePath } from '../command.ts';
import { readBounded } from './read-bounded.ts';
import { folderLimits, readFolder, type Unread } from './read-folder.ts';

/** What a path of the command line holds. */
export type Target =
  | {
      readonly kind: 'folder' | 'archive' | 'file';
      readonly files: readonly SubmittedFile[];
      readonly unread: readonly Unread[];
      readonly fault?: never;
    }
  | { readonly kind: 'archive'; readonly fault: ArchiveFault };

/** Throws UnreadablePath where there is nothing, or nothing that may be read. */
export async function readTarget(folder: string, path: string): Promise<Target> {
  try {
    const place = await realpath(resolve(folder, path));
    const found = await stat(place);
    if (found.isDirectory()) return ofFolder(await readFolder(place, true));
    if (found.isFile()) return ofFile(path, await readBounded(place, folderLimits.fileBytes));
  } catch (error) {
    if (error instanceof UnreadablePath) throw error;
    throw new UnreadablePath(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new UnreadablePath(`${path} is neither a file nor a folder.`);
}

function ofFolder({ files, unread }: Awaited<ReturnType<typeof readFolder>>): Target {
  if (files.length === 0 && unread.length === 0) throw new UnreadablePath('The folder holds no files.');
  return open('folder', files, unread);
}

function ofFile(path: string, bytes: Uint8Array): Target {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] ?? 0xff) < 0x09;
  if (!isArchive && !/\.(?:zip|skill)$/i.test(path)) return open('file', [{ path: basename(path), bytes }], []);
  const { files, fault } = openPackage(bytes);
  return fault === undefined ? { kind: 'archive', files, unread: [] } : { kind: 'archive', fault };
}

function open(kind: 'folder' | 'file', files: readonly SubmittedFile[], unread: readonly Unread[]): Target {
  const opened = openArchives(files);
  return {
    kind,
    files: opened.files,
    unread: [...unread, ...opened.unopened.map(({ path, fault }) => ({ path, reason: fault.message }))],
  };
}
