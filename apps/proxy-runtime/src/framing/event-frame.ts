import { crc32 } from 'node:zlib';

/**
 * A message of Amazon's event streams as it stood on the wire: the lengths of all and of its headers, a checksum of those, the
 * headers, the payload, and a checksum of everything before. https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export interface EventFrame {
  /** Texts, and bytes as if they were one; other values have nothing to read. */
  readonly headers: ReadonlyMap<string, string>;
  readonly headerBytes: Buffer;
  readonly payload: Buffer;
}

const preludeBytes = 12;
const checksumBytes = 4;
const fewestBytes = preludeBytes + checksumBytes;

/** The length of a frame that begins here; undefined while that is not told, 0 when no frame can begin so. */
export function readFrameLength(bytes: Buffer, maxBytes: number): number | undefined {
  if (bytes.length < preludeBytes) return undefined;
  const [length, headers, checksum] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  const isFrame = length >= fewestBytes + headers && crc32(bytes.subarray(0, 8)) === checksum;
  return isFrame && length <= maxBytes ? length : 0;
}

/** Undefined for bytes that are none, or whose checksum is another. @param bytes of the length that they tell */
export function parseFrame(bytes: Buffer): EventFrame | undefined {
  const end = bytes.length - checksumBytes;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) return undefined;
  const payloadAt = preludeBytes + bytes.readUInt32BE(4);
  const headerBytes = bytes.subarray(preludeBytes, payloadAt);
  const headers = parseHeaders(headerBytes);
  return headers && { headers, headerBytes, payload: bytes.subarray(payloadAt, end) };
}

/** Bytes of a value by its type: true, false, numbers of four lengths, bytes and text with a length, a time, an id. */
const sizes = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16];

function parseHeaders(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + (bytes[at] as number);
    const type = bytes[nameEnd] ?? sizes.length;
    const name = bytes.toString('utf8', at + 1, nameEnd);
    at = nameEnd + 1;
    if (type >= sizes.length || headers.has(name)) return undefined;
    let size = sizes[type];
    if (size === undefined) {
      if (at + 2 > bytes.length) return undefined;
      size = bytes.readUInt16BE(at);
      at += 2;
      headers.set(name, bytes.toString('utf8', at, at + size));
    } else headers.set(name, '');
    at += size;
    if (at > bytes.length) return undefined;
  }
  return headers;
}

/** A frame with these headers and this payload. */
export function renderFrame(headerBytes: Buffer, payload: Buffer): Buffer {
  const frame = Buffer.alloc(fewestBytes + headerBytes.length + payload.length);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(headerBytes.length, 4);
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
  headerBytes.copy(frame, preludeBytes);
  payload.copy(frame, preludeBytes + headerBytes.length);
  const end = frame.length - checksumBytes;
  frame.writeUInt32BE(crc32(frame.subarray(0, end)), end);
  return frame;
}

const textType = 7;

/** Headers that are texts, as they stand in a frame. */
export const renderFrameHeaders = (headers: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => {
      const text = Buffer.from(value);
      const [head, size] = [Buffer.from(`\0${name}\0`), Buffer.alloc(2)];
      head[0] = name.length;
      head[head.length - 1] = textType;
      size.writeUInt16BE(text.length);
      return [head, size, text];
    }),
  );
