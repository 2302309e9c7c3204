import type { Exchange } from '../../exchange/exchange.ts';
import { JsonSequenceFramer } from '../../framing/json-sequence-framer.ts';
import { prepend, type LastUnits, type ResponseReader } from './response-reader.ts';
import type { StreamUnit } from '../../framing/stream-unit.ts';
import { JsonReader } from './json-reader.ts';
import { LongJsonReader } from './long-json-reader.ts';
import { isContainer } from '../../framing/parse-data.ts';

interface Readers {
  readonly sequence: () => ResponseReader;
  readonly text: () => ResponseReader;
}

/** An answer of another type that begins like JSON: one value, several one after the other, or a text that only looks so. */
export class FirstValueReader implements ResponseReader {
  readonly #exchange: Exchange;
  readonly #maxBytes: number;
  readonly #readers: Readers;
  readonly #framer;
  /** What it has turned out to be. */
  #reader: ResponseReader | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #hasValue = false;

  constructor(exchange: Exchange, maxBytes: number, readers: Readers) {
    this.#exchange = exchange;
    this.#maxBytes = maxBytes;
    this.#readers = readers;
    this.#framer = new JsonSequenceFramer(maxBytes);
  }

  push(chunk: Buffer): readonly StreamUnit[] {
    if (this.#reader !== undefined) return this.#reader.push(chunk);
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    for (const { bytes, kind } of this.#framer.push(chunk)) {
      if (kind === 'space') continue;
      if (this.#hasValue) return this.#become(this.#readers.sequence());
      this.#hasValue = kind === 'value' && isContainer(bytes.toString('utf8'));
      if (!this.#hasValue) return this.#become(this.#isLong() ? this.#readLong() : this.#readers.text());
    }
    return this.#isLong() ? this.#become(this.#readLong()) : [];
  }

  end(): LastUnits {
    if (this.#reader !== undefined) return this.#reader.end();
    const reader = this.#hasValue ? new JsonReader(this.#exchange, this.#maxBytes) : this.#readers.text();
    return prepend(this.#become(reader), reader.end());
  }

  #isLong(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  #readLong(): ResponseReader {
    return new LongJsonReader(this.#exchange);
  }

  #become(reader: ResponseReader): readonly StreamUnit[] {
    this.#reader = reader;
    const bytes = Buffer.concat(this.#chunks, this.#bytes);
    this.#chunks = [];
    return reader.push(bytes);
  }
}
