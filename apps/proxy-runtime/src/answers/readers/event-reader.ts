import type { Exchange } from '../../exchange/exchange.ts';
import { createSseFramer, type SseEvent } from '@portcullis/platform/http/sse-framer';
import type { PassingReader } from './response-reader.ts';
import { noContent, type StreamUnit } from '../../framing/stream-unit.ts';
import { maxEventBytes, readData } from './read-data.ts';

/** Server-sent events, each read when it is complete. */
export class EventReader implements PassingReader {
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
  #read({ bytes, data, lines }: SseEvent): StreamUnit | undefined {
    if (data === undefined) return { bytes, form: 'text', content: noContent, terminal: false, lines };
    const read = readData(this.#exchange, data);
    return read === undefined ? undefined : { bytes, form: 'event', ...read, lines };
  }
}
