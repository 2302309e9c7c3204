/** The text of anything that was thrown. */
export const problemText = (error: unknown): string => (Error.isError(error) ? error.message : String(error));

/** The code of a system or driver error, such as `ENOENT`; undefined for anything else. */
export const problemCode = (error: unknown): string | undefined =>
  Error.isError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
