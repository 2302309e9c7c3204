export const codeOf = (letter: string): number => letter.charCodeAt(0);

/** What the fields of a row stand in and between. */
export const opening = codeOf('(');
/** In front of rows of the types `request_log_row_2` and `usage_row_2`; those of the types before have nothing there. */
export const secondForm = codeOf('[');
export const closing = codeOf(')');
export const comma = codeOf(',');
export const quote = codeOf('"');
/** Never stands in a row: a text that needs escaping makes it none. */
export const backslash = codeOf('\\');
export const zero = codeOf('0');
