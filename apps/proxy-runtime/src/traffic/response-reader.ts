import { StringDecoder } from 'node:string_decoder';
import type { Exchange } from '../exchange.ts';
import { createSseFramer, type SseEvent } from '../protocols/sse-framer.ts';
import { noContent, type StreamUnit, type UnitContent } from './stream-unit.ts';

/** Turns the bytes of an answer into units that can be inspected, and reads the usage on the way. */
export interface ResponseReader {
  push(chunk: Buffer): readonly StreamUnit[];
  end(): readonly StreamUnit[];
}

/** Longest event of a stream. */
const maxEventBytes = 1_048_576;

const noUnits: readonly StreamUnit[] = Object.freeze([]);

/**
 * Events are read one by one; a JSON body is read whole up to `maxInspectedBytes` and as it passes
 * beyond; other text is read as it passes; anything else is not text and goes through.
 */
export function openResponseReader(
  exchange: Exchange,
  contentType: string | undefined,
  maxInspectedBytes: number,
): ResponseReader {
  const type = contentType?.toLowerCase() ?? '';
  if (type.startsWith('text/event-stream')) return new EventReader(exchange);
  if (/^application\/(?:[\w.+-]+\+)?json\b/.test(type)) return new JsonReader(exchange, maxInspectedBytes);
  if (type === '' || /^text\/|xml|javascript|x-ndjson|jsonl|yaml|graphql|urlencoded/.test(type))
    return new TextReader();
  return new OpaqueReader();
}

class EventReader implements ResponseReader {
  readonly #exchange: Exchange;
  readonly #framer = createSseFramer(maxEventBytes);

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  push(chunk: Buffer): readonly StreamUnit[] {
    return this.#framer.push(chunk).map((event) => this.#read(event));
  }

  end(): readonly StreamUnit[] {
    const rest = this.#framer.end();
    return rest === undefined ? noUnits : [this.#read(rest)];
  }

  #read({ bytes, data }: SseEvent): StreamUnit {
    if (data === undefined) return { bytes, content: readComment(bytes), terminal: false };
    const value = parseData(data);
    const { texts, usage, terminal } = this.#exchange.protocol.readEvent(value);
    if (usage !== undefined) this.#mergeUsage(usage);
    if (texts === 'complete') return { bytes, content: { kind: 'value', value }, terminal };
    for (const { text } of texts) this.#exchange.streamedCharacters += text.length;
    return { bytes, content: { kind: 'texts', texts }, terminal };
  }

  /** Dialects tell input and output tokens in different events, and running totals: the largest figure stands. */
  #mergeUsage(told: NonNullable<Exchange['usage']>): void {
    const known = this.#exchange.usage;
    const inputTokens = Math.max(known?.inputTokens ?? 0, told.inputTokens);
    const outputTokens = Math.max(known?.outputTokens ?? 0, told.outputTokens);
    this.#exchange.usage = {
      model: told.model ?? known?.model,
      inputTokens,
      outputTokens,
      totalTokens: Math.max(inputTokens + outputTokens, told.totalTokens),
    };
  }
}

/** An event that is not JSON is inspected as the text it is. */
const parseData = (data: string): unknown => {
  if (data === '[DONE]') return data;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
};

/** A comment is no data for a client, yet it is text that leaves. A bare `:` or `: ping` is the usual one. */
const readComment = (bytes: Buffer): UnitContent =>
  bytes.length < 16 ? noContent : readText('comment', bytes.toString('utf8'));

const readText = (channel: string, text: string): UnitContent => ({ kind: 'texts', texts: [{ channel, text }] });

class JsonReader implements ResponseReader {
  readonly #exchange: Exchange;
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #overflow: TextReader | undefined;

  constructor(exchange: Exchange, maxBytes: number) {
    this.#exchange = exchange;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): readonly StreamUnit[] {
    if (this.#overflow !== undefined) return this.#overflow.push(chunk);
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#maxBytes) return noUnits;
    this.#overflow = new TextReader();
    return this.#overflow.push(this.#takeBytes());
  }

  end(): readonly StreamUnit[] {
    if (this.#overflow !== undefined) return this.#overflow.end();
    const bytes = this.#takeBytes();
    if (bytes.length === 0) return noUnits;
    const value = parseData(bytes.toString('utf8'));
    const usage = this.#exchange.protocol.readUsage(value);
    if (usage !== undefined) this.#exchange.usage = usage;
    return [{ bytes, content: { kind: 'value', value }, terminal: true }];
  }

  #takeBytes(): Buffer {
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.#bytes);
    this.#chunks = [];
    return bytes;
  }
}

class TextReader implements ResponseReader {
  readonly #decoder = new StringDecoder('utf8');

  push(bytes: Buffer): readonly StreamUnit[] {
    return [{ bytes, content: readText('body', this.#decoder.write(bytes)), terminal: false }];
  }

  end(): readonly StreamUnit[] {
    const text = this.#decoder.end();
    return text === '' ? noUnits : [{ bytes: Buffer.alloc(0), content: readText('body', text), terminal: false }];
  }
}

class OpaqueReader implements ResponseReader {
  push(bytes: Buffer): readonly StreamUnit[] {
    return [{ bytes, content: noContent, terminal: false }];
  }

  end(): readonly StreamUnit[] {
    return noUnits;
  }
}
