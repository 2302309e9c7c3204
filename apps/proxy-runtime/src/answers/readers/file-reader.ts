import type { PassingReader } from './response-reader.ts';
import { noContent, type StreamUnit } from '../../framing/stream-unit.ts';

/** Bytes that are no text. */
export class FileReader implements PassingReader {
  readonly #unreadable: Pick<StreamUnit, 'unreadable'>;

  /** @param isKnown the type says that they are those of a file */
  constructor(isKnown: boolean) {
    this.#unreadable = isKnown ? {} : { unreadable: 'bytes of no known type' };
  }

  push(bytes: Buffer): readonly StreamUnit[] {
    return [{ bytes, form: 'text', content: noContent, terminal: false, ...this.#unreadable }];
  }

  end(): readonly StreamUnit[] {
    return [];
  }
}
