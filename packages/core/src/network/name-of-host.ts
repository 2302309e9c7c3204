import { trimEndMatching } from '../text/trim-matching.ts';

const dot = 0x2e;

/** A host as names are compared: in lower case, and without the dots of the root at its end. */
export const nameOfHost = (host: string): string => trimEndMatching(host.toLowerCase(), (unit) => unit === dot);
