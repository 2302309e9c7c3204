import type { Exchange } from '../../exchange.ts';
import { createSseFramer, type SseEvent } from '../../dialects/sse-framer.ts';
import type { ResponseReader } from '../response-reader.ts';
import { commentChannel, noContent, readText, type StreamUnit, type UnitContent } from '../stream-unit.ts';
import { parseData } from './parse-data.ts';
import { maxEventBytes, readData } from './read-data.ts';

/** Server-sent events, each read when it is complete. */
export class EventReader implements ResponseReader {
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
    return unit === undefined ? [] : [unit];
  }

  /** Undefined for an event that the client shall not see. */
  #read({ bytes, data }: SseEvent): StreamUnit | undefined {
    if (data === undefined) return { bytes, form: 'text', content: readComment(bytes), terminal: false };
    const read = readData(this.#exchange, parseData(data));
    return read === undefined ? undefined : { bytes, form: 'event', ...read };
  }
}

/** A comment is no data for a client, yet it is text that leaves. A bare `:` or `: ping` is the usual one. */
const readComment = (bytes: Buffer): UnitContent =>
  bytes.length < 16 ? noContent : readText(commentChannel, bytes.toString('utf8'));
