import type { Exchange } from '../../exchange/exchange.ts';
import { JsonSequenceFramer, type SequencePart } from '../../framing/json-sequence-framer.ts';
import type { PassingReader } from './response-reader.ts';
import type { StreamUnit } from '../../framing/stream-unit.ts';
import { isContainer } from '../../framing/parse-data.ts';
import { maxEventBytes, readData } from './read-data.ts';

/** JSON values that follow one another, such as one on each line: events of a stream. What stands between is read as text. */
export class SequenceReader implements PassingReader {
  readonly #exchange: Exchange;
  readonly #framer = new JsonSequenceFramer(maxEventBytes);
  readonly #between: PassingReader;

  /** @param between reads what is no value */
  constructor(exchange: Exchange, between: PassingReader) {
    this.#exchange = exchange;
    this.#between = between;
    exchange.streamForm = 'lines';
  }

  push(chunk: Buffer): readonly StreamUnit[] {
    return this.#framer.push(chunk).flatMap((part) => this.#read(part));
  }

  end(): readonly StreamUnit[] {
    return [...this.#framer.end().flatMap((part) => this.#read(part)), ...this.#between.end()];
  }

  #read({ bytes, kind }: SequencePart): readonly StreamUnit[] {
    const source = kind === 'value' ? bytes.toString('utf8') : '';
    // As text it may be a value to readers that take more for JSON.
    if (kind !== 'value' || !isContainer(source)) return this.#between.push(bytes);
    const read = readData(this.#exchange, source);
    return [...this.#between.end(), ...(read === undefined ? [] : [{ bytes, form: 'json', ...read } as const])];
  }
}
