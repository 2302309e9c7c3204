export const archiveFaultCodes = [
  'not-a-zip',
  'empty',
  'too-large',
  'too-many-entries',
  'ratio',
  'path-outside',
  'bad-name',
  'duplicate-name',
  'link',
  'special-file',
  'encrypted',
  'unsupported',
  'zip64',
  'header-mismatch',
  'overlap',
  'leading-data',
  'trailing-data',
  'hidden-data',
  'damaged',
  'nested-too-deep',
] as const;
export type ArchiveFaultCode = (typeof archiveFaultCodes)[number];

/** Why an archive is refused. */
export interface ArchiveFault {
  readonly code: ArchiveFaultCode;
  /** A sentence for the person who sent the archive: what was found, where, and what is allowed. */
  readonly message: string;
  /** The entry that is at fault, in printable characters. */
  readonly entry?: string | undefined;
}

/** Carries a fault out of the readers; `parseArchive` answers it. */
export class ArchiveRefused extends Error {
  readonly fault: ArchiveFault;

  constructor(code: ArchiveFaultCode, message: string, entry?: string) {
    super(message);
    this.fault = { code, message, ...(entry === undefined ? {} : { entry }) };
  }
}

/** A name as it may be shown: nothing in it moves a cursor, turns a line or fills a page. */
export function printableName(name: string): string {
  const safe = name.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}"\\]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  );
  return safe.length > 120 ? `${safe.slice(0, 119)}…` : safe;
}
