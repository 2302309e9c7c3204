const maxLength = 240;

/**
 * A text for the status line of HTTP/1.1, which many client libraries show and no other: what is not printable ASCII
 * would be another line, or another character to each reader.
 */
export const renderStatusText = (text: string): string =>
  text
    .slice(0, maxLength)
    .replaceAll(/[^\x21-\x7e]+/g, ' ')
    .trim();
