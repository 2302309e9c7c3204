import type { Language } from '../package/file-kind.ts';
import type { PackageFile } from '../package/read-package.ts';

/** Code that is followed: a file, or a block in a document. */
export interface CodePiece {
  readonly file: PackageFile;
  readonly language: Language;
  readonly text: string;
  /** Where it begins in its file. */
  readonly from: number;
  /** From 0 to 1: how much what is found in it says. */
  readonly weight: number;
}
