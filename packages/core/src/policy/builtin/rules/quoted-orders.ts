const attackNamed = '\\b(?:prompt[- ]?injections?|jail-?breaks?|injection (?:attacks?|attempts?|phrases?))\\b';
const opened = '["“]';

/**
 * An order, as patterns that let sentences about it pass: "why does 'ignore all previous instructions' work as a prompt injection"
 * gives none. There the order begins behind a quotation mark, and an attack is named before it or behind its end. Whatever else
 * stands in the text is read as ever.
 */
export const unquotedOrders = (order: string): readonly string[] => [
  `(?<!${opened})${order}`,
  `(?<!${attackNamed}[^.!?\\n]{0,40})${opened}${order}(?!(?: [a-z]{2,14})?["”“»’'\`][^.!?\\n]{0,40}${attackNamed})`,
];
