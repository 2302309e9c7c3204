import type { Exchange } from '../../exchange/exchange.ts';
import { createJsonListFramer } from '../../framing/json-list-framer.ts';
import type { LastUnits, ResponseReader } from './response-reader.ts';
import { noContent, readText, type StreamUnit } from '../../framing/stream-unit.ts';
import { maxEventBytes, readData } from './read-data.ts';

/** A JSON list whose members are the events of a stream; an answer that is no list is read whole. */
export class ListReader implements ResponseReader {
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

  end(): LastUnits {
    if (this.#whole !== undefined) return this.#whole.end();
    const bytes = this.#framer.end();
    if (bytes.length === 0) return [];
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
