import type { Exchange } from '../exchange.ts';
import { createSseFramer, type SseEvent } from '../dialects/sse-framer.ts';
import { createJsonListFramer } from '../dialects/json-list-framer.ts';
import { isPossible } from '../usage/is-possible.ts';
import { mergeUsage } from '../usage/usage.ts';
import { noContent, type StreamUnit, type UnitContent } from './stream-unit.ts';

/** Turns the bytes of an answer into units that can be inspected, and reads the usage on the way. */
export interface ResponseReader {
  push(chunk: Buffer): readonly StreamUnit[];
  end(): readonly StreamUnit[];
}

/** The channel of comments between events. */
export const commentChannel = 'comment';

/** Longest event of a stream: an image comes in one. */
const maxEventBytes = 16_777_216;

const noUnits: readonly StreamUnit[] = Object.freeze([]);

/**
 * Events are read one by one, and so are the members of a list that is a stream; another JSON body is read whole up to `maxInspectedBytes` and as it passes
 * beyond; other text is read as it passes; anything else is not text and goes through.
 */
export function openResponseReader(
  exchange: Exchange,
  contentType: string | undefined,
  maxInspectedBytes: number,
): ResponseReader {
  const type = contentType?.toLowerCase() ?? '';
  if (type.startsWith('text/event-stream')) return new EventReader(exchange);
  if (/^application\/(?:[\w.+-]+\+)?json\b/.test(type)) {
    const json = new JsonReader(exchange, maxInspectedBytes);
    return exchange.protocol.listIsStream === true ? new ListReader(exchange, json) : json;
  }
  if (type === '' || /^text\/|xml|javascript|x-ndjson|jsonl|yaml|graphql|urlencoded/.test(type))
    return new TextReader();
  return new OpaqueReader();
}

class EventReader implements ResponseReader {
  readonly #exchange: Exchange;
  readonly #framer = createSseFramer(maxEventBytes);

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    exchange.streamForm = 'events';
  }

  push(chunk: Buffer): readonly StreamUnit[] {
    const units: StreamUnit[] = [];
    for (const event of this.#framer.push(chunk)) {
      const unit = this.#read(event);
      if (unit !== undefined) units.push(unit);
    }
    return units;
  }

  end(): readonly StreamUnit[] {
    const rest = this.#framer.end();
    const unit = rest && this.#read(rest);
    return unit === undefined ? noUnits : [unit];
  }

  /** Undefined for an event that the client shall not see. */
  #read({ bytes, data }: SseEvent): StreamUnit | undefined {
    if (data === undefined) return { bytes, form: 'text', content: readComment(bytes), terminal: false };
    const read = readData(this.#exchange, data);
    return read === undefined ? undefined : { bytes, form: 'event', ...read };
  }
}

/** What one event of a stream carries, for policies and for the count; undefined when the client shall not see it. */
function readData(exchange: Exchange, data: string): Pick<StreamUnit, 'content' | 'terminal' | 'sequence'> | undefined {
  const value = parseData(data);
  const { texts, usage, background, onlyUsage, terminal, sequence } = exchange.protocol.readEvent(value);
  if (usage !== undefined) exchange.usage = mergeUsage(exchange.usage, usage);
  if (background !== undefined) exchange.background = background;
  if (onlyUsage === true && exchange.hidesUsage) return undefined;
  if (texts === 'complete') return { content: { kind: 'value', value }, terminal, sequence };
  for (const { text } of texts) exchange.streamed.add(text);
  return { content: { kind: 'texts', texts }, terminal, sequence };
}

/** A JSON list whose members are the events of a stream; an answer that is no list is read whole. */
class ListReader implements ResponseReader {
  readonly #exchange: Exchange;
  readonly #framer = createJsonListFramer(maxEventBytes);
  /** Undefined once the answer has turned out to be a list. */
  #whole: ResponseReader | undefined;
  #begun = false;

  constructor(exchange: Exchange, whole: ResponseReader) {
    this.#exchange = exchange;
    this.#whole = whole;
  }

  push(chunk: Buffer): readonly StreamUnit[] {
    if (!this.#begun) this.#begin(chunk);
    if (this.#whole !== undefined) return this.#whole.push(chunk);
    return this.#framer.push(chunk).flatMap(({ bytes, start }): StreamUnit[] => {
      const read = readData(this.#exchange, bytes.toString('utf8', start));
      return read === undefined ? [] : [{ bytes, form: 'member', ...read }];
    });
  }

  end(): readonly StreamUnit[] {
    if (this.#whole !== undefined) return this.#whole.end();
    const bytes = this.#framer.end();
    if (bytes.length === 0) return noUnits;
    const text = bytes.toString('utf8');
    return [{ bytes, form: 'text', content: text.trim() === ']' ? noContent : readText('body', text), terminal: true }];
  }

  #begin(chunk: Buffer): void {
    this.#begun = true;
    if (chunk.find((byte) => byte > 0x20) !== openBracket) return;
    this.#whole = undefined;
    this.#exchange.streamForm = 'list';
  }
}

const openBracket = 0x5b;

/** An event that is not JSON is inspected as the text it is. */
export const parseData = (data: string): unknown => {
  if (data === '[DONE]') return data;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
};

/** A comment is no data for a client, yet it is text that leaves. A bare `:` or `: ping` is the usual one. */
const readComment = (bytes: Buffer): UnitContent =>
  bytes.length < 16 ? noContent : readText(commentChannel, bytes.toString('utf8'));

const readText = (channel: string, text: string): UnitContent => ({
  kind: 'texts',
  texts: [{ channel, text, path: [], isKey: false }],
});

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
    const { readable, readBackground } = this.#exchange.protocol;
    if (readBackground !== undefined) this.#exchange.background = readBackground(value);
    // What is written in the background is not written yet.
    const told =
      usage !== undefined &&
      isPossible(usage, { requestBytes: this.#exchange.requestBytes, responseBytes: bytes.length });
    if (!told && this.#exchange.background === undefined) this.#exchange.untold = value;
    const content: UnitContent = { kind: 'value', value: readable === undefined ? value : readable(value) };
    return [{ bytes, form: 'json', content, terminal: true }];
  }

  #takeBytes(): Buffer {
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.#bytes);
    this.#chunks = [];
    return bytes;
  }
}

/** Each unit holds whole characters, so that its bytes are its text. */
class TextReader implements ResponseReader {
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): readonly StreamUnit[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = bytes.length - unfinishedBytes(bytes);
    this.#rest = bytes.subarray(end);
    return this.#read(bytes.subarray(0, end));
  }

  end(): readonly StreamUnit[] {
    return this.#read(this.#rest);
  }

  #read(bytes: Buffer): readonly StreamUnit[] {
    if (bytes.length === 0) return noUnits;
    return [{ bytes, form: 'text', content: readText('body', bytes.toString('utf8')), terminal: false }];
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

class OpaqueReader implements ResponseReader {
  push(bytes: Buffer): readonly StreamUnit[] {
    return [{ bytes, form: 'text', content: noContent, terminal: false }];
  }

  end(): readonly StreamUnit[] {
    return noUnits;
  }
}
