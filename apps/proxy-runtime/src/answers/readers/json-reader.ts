import type { Exchange } from '../../exchange/exchange.ts';
import { isPossible } from '../../usage/is-possible.ts';
import type { LastUnits, ResponseReader } from './response-reader.ts';
import type { UnitContent } from '@portcullis/platform/inspection/inspected-unit';
import type { StreamUnit } from '../../framing/stream-unit.ts';
import { parseBoundedJsonCooperatively } from '@portcullis/core/json/json-bounds';
import { longBody } from '../../http/request-body.ts';
import { LongJsonReader } from './long-json-reader.ts';
import { parseData, tooMany } from '../../framing/parse-data.ts';
import { readAmbiguity, readAmbiguityInSteps } from './read-data.ts';
import { SequenceReader } from './sequence-reader.ts';
import { TextReader } from './text-reader.ts';

/** A JSON body, read whole up to a bound and as it passes beyond. */
export class JsonReader implements ResponseReader {
  readonly #exchange: Exchange;
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #overflow: LongJsonReader | undefined;

  constructor(exchange: Exchange, maxBytes: number) {
    this.#exchange = exchange;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): readonly StreamUnit[] {
    if (this.#overflow !== undefined) return this.#overflow.push(chunk);
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#maxBytes) return [];
    this.#overflow = new LongJsonReader(this.#exchange);
    return this.#overflow.push(this.#takeBytes());
  }

  end(): LastUnits {
    if (this.#overflow !== undefined) return this.#overflow.end();
    const bytes = this.#takeBytes();
    if (bytes.length === 0) return [];
    if (bytes.length > longBody) return this.#readInSteps(bytes);
    const source = withoutMark(bytes.toString('utf8'));
    const value = parseData(source);
    return typeof value === 'string' && !isString(bytes)
      ? this.#readOther(bytes)
      : [this.#readValue(bytes, value, readAmbiguity(this.#exchange, source, value))];
  }

  /** The same for a long one. */
  *#readInSteps(bytes: Buffer): Generator<undefined, readonly StreamUnit[]> {
    const source = withoutMark(bytes.toString('utf8'));
    yield;
    let value: unknown;
    try {
      value = yield* parseBoundedJsonCooperatively(source);
    } catch (error) {
      if (error instanceof SyntaxError) return this.#readOther(bytes);
      return readTexts(bytes).map((unit) => ({ ...unit, unreadable: tooMany }));
    }
    yield;
    return [this.#readValue(bytes, value, yield* readAmbiguityInSteps(this.#exchange, source, value))];
  }

  #readValue(bytes: Buffer, value: unknown, ambiguity: Pick<StreamUnit, 'unreadable'>): StreamUnit {
    const { readUsage, readable, readBackground } = this.#exchange.dialect;
    const usage = readUsage(value);
    if (usage !== undefined) this.#exchange.usage = usage;
    if (readBackground !== undefined) this.#exchange.background = readBackground(value);
    // What is written in the background is not written yet.
    const hasUsage =
      usage !== undefined &&
      isPossible(usage, { requestBytes: this.#exchange.requestBytes, responseBytes: bytes.length });
    if (!hasUsage && this.#exchange.background === undefined) this.#exchange.answerWithoutUsage = value;
    const content: UnitContent = { kind: 'value', value: readable === undefined ? value : readable(value) };
    return { bytes, form: 'json', content, terminal: true, ...ambiguity };
  }

  /** What is no JSON: values one after the other, or a text. What only looks like JSON its client may read otherwise. */
  #readOther(bytes: Buffer): readonly StreamUnit[] {
    const looksLikeJson = jsonStarts.has(bytes.find((byte) => byte > 0x20 && byte < 0x80) ?? 0);
    const reader = looksLikeJson ? new SequenceReader(this.#exchange, new TextReader()) : new TextReader();
    const units = [...reader.push(bytes), ...reader.end()];
    if (!looksLikeJson) return units;
    return units.map((unit) =>
      unit.form === 'text' && unit.bytes.some((byte) => byte > 0x20)
        ? { ...unit, unreadable: 'something between JSON values' }
        : unit,
    );
  }

  #takeBytes(): Buffer {
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.#bytes);
    this.#chunks = [];
    return bytes;
  }
}

function readTexts(bytes: Buffer): readonly StreamUnit[] {
  const reader = new TextReader();
  return [...reader.push(bytes), ...reader.end()];
}

const quote = 0x22;
const isString = (bytes: Buffer): boolean => bytes.find((byte) => byte > 0x20 && byte < 0x80) === quote;
const jsonStarts: ReadonlySet<number> = new Set(Buffer.from('{['));
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);
