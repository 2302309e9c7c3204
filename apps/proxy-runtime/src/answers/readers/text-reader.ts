import { isUtf8 } from 'node:buffer';
import type { PassingReader } from './response-reader.ts';
import { noContent, readText, type StreamUnit } from '../../framing/stream-unit.ts';

/** A byte that no text holds, but every text in UTF-16 or UTF-32. */
const nul = 0;

/** Each unit holds whole characters, so that its bytes are its text. */
export class TextReader implements PassingReader {
  readonly #mayBeBytes: boolean;
  #rest: Buffer = Buffer.alloc(0);

  /** @param mayBeBytes what is no text is part of a file */
  constructor(mayBeBytes = false) {
    this.#mayBeBytes = mayBeBytes;
  }

  push(chunk: Buffer): readonly StreamUnit[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = bytes.length - unfinishedBytes(bytes);
    this.#rest = bytes.subarray(end);
    return this.#read(bytes.subarray(0, end));
  }

  end(): readonly StreamUnit[] {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return this.#read(rest);
  }

  #read(bytes: Buffer): readonly StreamUnit[] {
    if (bytes.length === 0) return [];
    const isText = isUtf8(bytes) && !bytes.includes(nul);
    if (!isText && this.#mayBeBytes) return [{ bytes, form: 'text', content: noContent, terminal: false }];
    const unit: StreamUnit = {
      bytes,
      form: 'text',
      content: readText('body', bytes.toString('utf8')),
      terminal: false,
    };
    return [isText ? unit : { ...unit, unreadable: 'bytes that are no text in UTF-8' }];
  }
}

/** Bytes at the end of UTF-8 text that begin a character and do not end it. */
function unfinishedBytes(bytes: Buffer): number {
  for (let count = 1; count <= 3 && count <= bytes.length; count += 1) {
    const byte = bytes[bytes.length - count] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return count < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? count : 0;
  }
  return 0;
}
