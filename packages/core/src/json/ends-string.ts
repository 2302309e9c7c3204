const backslash = 0x5c;

/** Whether the quotation mark at this place ends a string of JSON, in which one behind a backslash does not. */
export function endsString(source: string, quote: number): boolean {
  let slashes = 0;
  while (source.charCodeAt(quote - 1 - slashes) === backslash) slashes += 1;
  return slashes % 2 === 0;
}
