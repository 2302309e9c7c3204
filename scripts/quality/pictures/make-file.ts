import { createCipheriv, createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** Bytes as of a camera or a compressor: the same for the same seed. */
const noise = (seed: string, length: number): Buffer =>
  createCipheriv('aes-128-ctr', createHash('sha256').update(seed).digest().subarray(0, 16), Buffer.alloc(16)).update(
    Buffer.alloc(length),
  );

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

function png(seed: string, length: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer =>
    Buffer.concat([uint32(data.length), latin(type), data, uint32(crc32(Buffer.concat([latin(type), data])))]);
  const width = 512;
  const rows = Math.max(1, Math.floor(length / (3 * width)));
  const pixels = noise(seed, rows * (3 * width + 1));
  // A soft picture beside a noisy one: every second row runs from dark to light.
  for (let row = 0; row < rows; row += 1) {
    const from = row * (3 * width + 1);
    pixels[from] = 0;
    if (row % 2 === 0) for (let at = 1; at <= 3 * width; at += 1) pixels[from + at] = (row + at) >> 3;
  }
  const head = Buffer.concat([uint32(width), uint32(rows), Buffer.from([8, 2, 0, 0, 0])]);
  const made = latin('Software\0A camera that somebody made');
  return Buffer.concat([
    latin('\u0089PNG\r\n\u001a\n'),
    chunk('IHDR', head),
    chunk('tEXt', made),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The parts of a photograph in their order; what is in place of the picture itself has no more order than one. */
function jpeg(seed: string, length: number): Buffer {
  const segment = (marker: number, data: Buffer): Buffer =>
    Buffer.concat([Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff]), data]);
  const scan = Buffer.from([...noise(seed, length)].flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])));
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, latin('JFIF\0\u0001\u0002\0\0\u0001\0\u0001\0\0')),
    segment(0xe1, latin('Exif\0\0MM\0*\0\0\0\u0008 A camera 2026:11:23 12:00:00')),
    segment(0xdb, Buffer.concat([Buffer.from([0]), noise(`${seed} table`, 64)])),
    segment(0xc0, Buffer.from([8, 4, 0, 4, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])),
    segment(0xda, Buffer.from([3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0])),
    scan,
    Buffer.from([0xff, 0xd9]),
  ]);
}

const webp = (seed: string, length: number): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(length);
  return Buffer.concat([latin('RIFF'), size, latin('WEBPVP8L'), size, noise(seed, length)]);
};

/** Pages whose texts are compressed, as nearly all are, between plain marks. */
function pdf(seed: string, length: number): Buffer {
  const parts = [latin('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n')];
  const page = 40_000;
  for (let number = 1; number * page < length; number += 1) {
    const stream = deflateSync(noise(`${seed} ${number}`, page));
    parts.push(latin(`${number} 0 obj\n<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`), stream);
    parts.push(latin('\nendstream\nendobj\n'));
  }
  parts.push(latin('trailer\n<< /Root 1 0 R >>\n%%EOF\n'));
  return Buffer.concat(parts);
}

const sound = (seed: string, length: number): Buffer => {
  const samples = noise(seed, length & ~1);
  for (let at = 0; at < samples.length; at += 2)
    samples.writeInt16LE(Math.round(9_000 * Math.sin(at / 41) + samples.readInt16LE(at) / 64), at);
  return samples;
};

/** Kinds of files by their media type. */
export const fileKinds = {
  'image/png': png,
  'image/jpeg': jpeg,
  'image/webp': webp,
  'application/pdf': pdf,
  'audio/pcm': sound,
  'application/octet-stream': noise,
} as const satisfies Readonly<Record<string, (seed: string, length: number) => Buffer>>;

export type FileKind = keyof typeof fileKinds;
