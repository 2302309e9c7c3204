/** What the bytes of a file say as a text. */
export interface DecodedBytes {
  readonly text: string;
  /**
   * `text`: all of it is one. `other-encoding`: it is one in an encoding that is not known, of which the ASCII letters are
   * read. `binary`: it is none, and `text` holds the readable runs in it.
   */
  readonly form: 'text' | 'other-encoding' | 'binary';
}

/** Shares of the bytes from which a file is no text, and from which it is one in another encoding. */
const binaryShare = 0.05;
const foreignShare = 0.02;
/** Readable characters in a row that say something; compressed data has no such run by chance. */
const shortestRun = 12;

const lossy = new TextDecoder('utf-8');

/**
 * Reads bytes as shells and interpreters do, which stop at no byte that is no letter: one that is wrong is left out, and the
 * rest is read.
 */
export function decodeText(bytes: Uint8Array): DecodedBytes {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return { text: new TextDecoder(wide).decode(bytes), form: 'text' };
  const { controls, nulls } = countControls(bytes);
  if (controls + nulls > bytes.length * binaryShare + 2) return { text: readableRuns(bytes), form: 'binary' };
  // A shell leaves NUL out, so that `cu\0rl` is a command.
  const text = lossy.decode(nulls === 0 ? bytes : bytes.filter((byte) => byte !== 0));
  const wrong = countOf(text, '\uFFFD');
  if (wrong > text.length * 0.3) return { text: readableRuns(bytes), form: 'binary' };
  return { text, form: wrong > text.length * foreignShare + 2 ? 'other-encoding' : 'text' };
}

/** UTF-16, by its mark or by the zeros in every second byte. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const looked = Math.min(bytes.length, 4_096) & ~1;
  if (looked < 8) return undefined;
  const zeros: [even: number, odd: number] = [0, 0];
  const readable: [even: number, odd: number] = [0, 0];
  for (let at = 0; at < looked; at += 1) {
    const byte = bytes[at] as number;
    if (byte === 0) zeros[at % 2 === 0 ? 0 : 1] += 1;
    else if (isReadable(byte)) readable[at % 2 === 0 ? 0 : 1] += 1;
  }
  const least = looked / 4;
  if (zeros[1] > least && readable[0] > least * 1.5) return 'utf-16le';
  return zeros[0] > least && readable[1] > least * 1.5 ? 'utf-16be' : undefined;
}

function countControls(bytes: Uint8Array): { readonly controls: number; readonly nulls: number } {
  let [controls, nulls] = [0, 0];
  for (const byte of bytes) {
    if (byte === 0) nulls += 1;
    else if (byte < 32 && (byte < 8 || byte > 13) && byte !== 27) controls += 1;
  }
  return { controls, nulls };
}

function countOf(text: string, char: string): number {
  let count = 0;
  for (let at = text.indexOf(char); at >= 0; at = text.indexOf(char, at + 1)) count += 1;
  return count;
}

const isReadable = (byte: number): boolean => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13;

/** Runs of readable ASCII, a line each. */
function readableRuns(bytes: Uint8Array): string {
  const runs: string[] = [];
  const ascii = new TextDecoder('latin1');
  let from = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte !== undefined && isReadable(byte)) continue;
    if (at - from >= shortestRun) runs.push(ascii.decode(bytes.subarray(from, at)).trim());
    from = at + 1;
  }
  return runs.filter((run) => run.length >= shortestRun).join('\n');
}
