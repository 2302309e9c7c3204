/** Whether arrays of units hold bytes as UTF-16LE has them. */
export const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Buffers beyond this many units are not kept. */
const mostKept = 1 << 20;

let units = new Uint16Array(1 << 14);
let bytes = Buffer.from(units.buffer);
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
}

/** The same as bytes, two for each unit, and no more of them. */
export function bytesOf(text: string): Uint8Array {
  unitsOf(text);
  return bytes.subarray(0, 2 * text.length);
}
