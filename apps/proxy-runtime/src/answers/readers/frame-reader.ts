import { isUtf8 } from 'node:buffer';
import type { Exchange } from '../../exchange/exchange.ts';
import { parseFrame, readFrameLength } from '../../framing/event-frame.ts';
import { readFrameSource } from '../../framing/frame-source.ts';
import type { StreamUnit } from '../../framing/stream-unit.ts';
import { FileReader } from './file-reader.ts';
import { maxEventBytes, readAmbiguity, readData } from './read-data.ts';
import { readJsonData } from '../../framing/parse-data.ts';
import type { PassingReader } from './response-reader.ts';

/** Amazon's frames of events, each read when it is complete. What is none is bytes of no known type. */
export class FrameReader implements PassingReader {
  readonly #exchange: Exchange;
  readonly #other = new FileReader(false);
  #rest: Buffer = Buffer.alloc(0);
  /** Chunks of a frame that is under way, and how many bytes are wanted before they are looked at. */
  #chunks: Buffer[] = [];
  #bytes = 0;
  #wanted = 0;
  #isOther = false;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    exchange.streamForm = 'frames';
  }

  push(chunk: Buffer): readonly StreamUnit[] {
    if (this.#isOther) return this.#other.push(chunk);
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#wanted) return [];
    this.#rest = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#bytes);
    const units: StreamUnit[] = [];
    for (let length = this.#nextLength(); length !== undefined; length = this.#nextLength()) {
      if (length === 0) {
        this.#isOther = true;
        units.push(...this.#other.push(this.#rest));
        this.#rest = Buffer.alloc(0);
        break;
      }
      units.push(this.#read(this.#rest.subarray(0, length)));
      this.#rest = this.#rest.subarray(length);
    }
    [this.#chunks, this.#bytes] = [this.#rest.length === 0 ? [] : [this.#rest], this.#rest.length];
    return units;
  }

  end(): readonly StreamUnit[] {
    return this.#bytes === 0 ? [] : this.#other.push(Buffer.concat(this.#chunks));
  }

  /** Of a frame that has come whole; undefined while none has, 0 where none begins. */
  #nextLength(): number | undefined {
    const length = readFrameLength(this.#rest, maxEventBytes);
    this.#wanted = length ?? 0;
    return length === undefined || length > this.#rest.length ? undefined : length;
  }

  #read(bytes: Buffer): StreamUnit {
    const frame = parseFrame(bytes);
    const read = frame && isUtf8(frame.payload) ? readFrameSource(frame) : undefined;
    if (read === undefined) return { ...(this.#other.push(bytes)[0] as StreamUnit) };
    const data = readData(this.#exchange, read.source);
    const { value } = read.isChunk ? readJsonData(read.payload) : {};
    const ambiguity = value === undefined ? {} : readAmbiguity(this.#exchange, read.payload, value);
    const lines = read.beside === '' ? {} : { lines: read.beside };
    const content = data ?? { content: { kind: 'texts', texts: [] } as const, terminal: false };
    return { bytes, form: 'frame', ...content, ...ambiguity, ...lines };
  }
}
