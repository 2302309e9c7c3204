import { hash } from 'node:crypto';
import { writeArchive } from '@portcullis/core/skills/archive/write-archive';
import type { SubmittedFile } from '@portcullis/core/skills/package/read-package';

/** A package as it is kept and handed out. */
export interface PackedSkill {
  /** The same for the same files, in any ZIP that they came in. */
  readonly archive: Uint8Array;
  /** SHA-256 of it. */
  readonly sha256: string;
  /** SHA-256 over the paths, sizes and hashes of the files. */
  readonly treeHash: string;
  readonly files: readonly PackedFile[];
  /** Of its SKILL.md; undefined without one that is text. */
  readonly source: string | undefined;
  /** Of its skill.json; undefined without one. */
  readonly manifest: string | undefined;
}

export interface PackedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

/** @param files as `parseArchive` answers them: sorted, with paths that a package may have */
export function packSkill(files: readonly SubmittedFile[]): PackedSkill {
  const archive = writeArchive(files);
  const packed = files.map(({ path, bytes }) => ({ path, size: bytes.length, sha256: hash('sha256', bytes) }));
  return {
    archive,
    sha256: hash('sha256', archive),
    treeHash: hash('sha256', JSON.stringify(packed.map(({ path, size, sha256 }) => [path, size, sha256]))),
    files: packed,
    source: textOf(shallowest(files, 'skill.md')),
    manifest: textOf(shallowest(files, 'skill.json')),
  };
}

/** Packages are often a folder in a ZIP, and may hold examples that are skills themselves. */
function shallowest(files: readonly SubmittedFile[], name: string): SubmittedFile | undefined {
  const depthOf = ({ path }: SubmittedFile): number => path.split('/').length;
  return files
    .filter(({ path }) => path.toLowerCase().split('/').at(-1) === name)
    .toSorted((one, other) => depthOf(one) - depthOf(other))[0];
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(file: SubmittedFile | undefined): string | undefined {
  if (file === undefined || file.bytes.includes(0)) return undefined;
  try {
    return utf8.decode(file.bytes);
  } catch {
    return undefined;
  }
}
