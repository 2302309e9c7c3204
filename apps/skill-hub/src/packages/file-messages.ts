/** One file of a package that is asked for. */
export interface FileRequest {
  /** Where the package is kept; or its bytes, where its file is lost. */
  readonly archive: string | Uint8Array;
  /** Of the package. */
  readonly sha256: string;
  readonly path: string;
  readonly maxBytes: number;
}

/** The package is not where it is kept, or not the one that was asked for. */
export const lostPackage = 'lost';

/** Undefined for a file that the package does not have; else why it is not read. */
export type FileAnswer = { readonly bytes: Uint8Array | undefined } | { readonly fault: string };
