export const codeOf = (letter: string): number => letter.charCodeAt(0);

/** What the fields of a row stand in and between. */
export const opening = codeOf('(');
export const closing = codeOf(')');
export const comma = codeOf(',');
export const quote = codeOf('"');
/** Never stands in a row: a text that needs escaping makes it none. */
export const backslash = codeOf('\\');
export const zero = codeOf('0');
