/** The two digits of each byte: `toString` and `padStart` take longer than what is done with them for every record. */
export const hexOfByte: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);
