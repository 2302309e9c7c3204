/** Whether arrays of units hold bytes as UTF-16LE has them. */
export const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Buffers beyond this many units are not kept. */
const mostKept = 1 << 20;

let units = new Uint16Array(1 << 14);
let bytes = Buffer.from(units.buffer);
/** The same units, two in one. */
let pairs = new Int32Array(units.buffer);
let known = '';

/**
 * The UTF-16 units of a text, and possibly more behind them: they hold until another text is asked for. Whoever
 * looks at every unit reads an array several times as fast as a text, and all who read the same text share it.
 */
export function unitsOf(text: string): Uint16Array {
  if (text === known) return units;
  if (text.length > units.length || units.length > mostKept) makeRoom(text.length);
  known = text;
  if (isLittleEndian) bytes.write(text, 0, 'utf16le');
  else for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}

function makeRoom(length: number): void {
  units = new Uint16Array(Math.max(1 << 14, length > mostKept ? length : 1 << (32 - Math.clz32(length))));
  bytes = Buffer.from(units.buffer);
  pairs = new Int32Array(units.buffer);
}

/** The same as bytes, two for each unit, and no more of them. */
export function bytesOf(text: string): Uint8Array {
  unitsOf(text);
  return bytes.subarray(0, 2 * text.length);
}

/** Bit of a fingerprint: some unit of the text is no single byte. */
export const wideBit = 1;

/**
 * A number by which texts that differ are told apart, but for few that are made to have the same. Four products are
 * worked out side by side, since each has to wait for its last.
 */
export function fingerprintOf(text: string): number {
  const { length } = text;
  const last = length === 0 ? 0 : (unitsOf(text)[length - 1] as number);
  const two = pairs;
  const most = length >> 1;
  let [a, b, c, d, all] = [length, last, 0, 0, last];
  let at = 0;
  for (; at + 3 < most; at += 4) {
    const first = two[at] as number;
    const second = two[at + 1] as number;
    const third = two[at + 2] as number;
    const fourth = two[at + 3] as number;
    all |= first | second | third | fourth;
    a = Math.imul(a ^ first, 0x9e3779b1);
    b = Math.imul(b ^ second, 0x85ebca6b);
    c = Math.imul(c ^ third, 0xc2b2ae35);
    d = Math.imul(d ^ fourth, 0x27d4eb2f);
  }
  for (; at < most; at += 1) {
    all |= two[at] as number;
    a = Math.imul(a ^ (two[at] as number), 0x9e3779b1);
  }
  const mixed = Math.imul(a ^ (b >>> 7) ^ (c >>> 13) ^ (d >>> 19) ^ (b << 9) ^ (c << 5) ^ d, 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 15)) & ~wideBit) | ((all & 0xff00_ff00) === 0 ? 0 : wideBit);
}
