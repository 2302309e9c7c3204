import { mostUnits } from '../finder/finder-kernel.ts';

/** So much is read before patterns are tried, so that the places to try take up no more than so much room. */
export const block = mostUnits;

/** The same where a scan goes on in steps, so that none of them is long. Shorter texts are one step. */
export const stepBlock = 4_096;

/** Longer texts are read by sections even where no caller waits for the steps. */
export const longestWhole = 32_768;

/** What a long text says otherwise is read in sections of so many characters. */
const sectionLength = 4 * stepBlock;

export const sectionOf = ({ length }: string): number => (length <= longestWhole ? longestWhole : sectionLength);
