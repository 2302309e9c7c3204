/** Bytes that are looked at. */
const maxLooked = 1_024;

/** Texts in UTF-16 or UTF-32, by their mark, or by the zeros that ordinary letters have in every other byte or more. */
export function isUtf16Text(bytes: Buffer): boolean {
  const start = bytes.subarray(0, maxLooked);
  if (marks.some((mark) => start.subarray(0, mark.length).equals(mark))) return true;
  const zeros: [even: number, odd: number] = [0, 0];
  let printable = 0;
  for (const [at, byte] of start.entries()) {
    if (byte === 0) zeros[(at % 2) as 0 | 1] += 1;
    else if (byte >= 0x20 && byte < 0x7f) printable += 1;
  }
  const [fewer, more] = [Math.min(...zeros), Math.max(...zeros)];
  const others = start.length - fewer - more;
  return more >= start.length * 0.4 && others > 0 && printable >= others * 0.7;
}

const marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff]), Buffer.from([0, 0, 0xfe, 0xff])];
