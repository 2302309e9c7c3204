/** Name of the spool of a runtime, or of one of its workers. */
export const spoolNameOf = (worker?: number): string =>
  worker === undefined ? 'proxy-runtime' : `proxy-runtime-${worker}`;

export const isSpoolName = (name: string): boolean => /^proxy-runtime(?:-\d+)?$/.test(name);
