export interface ResponseHandler {
  onBody(part: Buffer): void;
  onEnd(status: number): void;
}

type State = 'head' | 'fixed' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer';

const nothing = Buffer.alloc(0);

/** Reads HTTP/1.1 responses one after the other off a keep-alive connection: no more than load needs. */
export class ResponseReader {
  readonly #handler: ResponseHandler;
  #state: State = 'head';
  #rest: Buffer = nothing;
  #status = 0;
  #remaining = 0;

  constructor(handler: ResponseHandler) {
    this.#handler = handler;
  }

  /** @throws when the bytes are not a response, or one whose end only the connection's end tells */
  push(bytes: Buffer): void {
    const input = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let at = 0;
    while (at < input.length) {
      const next = this.#read(input, at);
      if (next === at) break;
      at = next;
    }
    this.#rest = at < input.length ? input.subarray(at) : nothing;
  }

  /** Reads one element; answers where the next begins, or `at` when the element is not complete. */
  #read(input: Buffer, at: number): number {
    if (this.#state === 'head') return this.#readHead(input, at);
    if (this.#state === 'fixed' || this.#state === 'chunk') return this.#readBody(input, at);
    return this.#readLine(input, at);
  }

  #readHead(input: Buffer, at: number): number {
    const end = input.indexOf('\r\n\r\n', at);
    if (end === -1) return at;
    const head = input.toString('latin1', at, end);
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length:[ \t]*(\d+)/i.exec(head)?.[1];
    if (!head.startsWith('HTTP/1.1 ') || (length === undefined && !/\r\ntransfer-encoding:[ \t]*chunked/i.test(head))) {
      throw new Error(`This response cannot be read: ${head.slice(0, 300)}`);
    }
    this.#state = length === undefined ? 'chunk-size' : 'fixed';
    this.#remaining = Number(length ?? 0);
    if (length === '0') this.#finish();
    return end + 4;
  }

  #readBody(input: Buffer, at: number): number {
    const end = Math.min(input.length, at + this.#remaining);
    this.#remaining -= end - at;
    this.#handler.onBody(input.subarray(at, end));
    if (this.#remaining === 0) {
      if (this.#state === 'chunk') this.#state = 'chunk-end';
      else this.#finish();
    }
    return end;
  }

  #readLine(input: Buffer, at: number): number {
    const end = input.indexOf('\r\n', at);
    if (end === -1) return at;
    if (this.#state === 'chunk-size') {
      this.#remaining = Number.parseInt(input.toString('latin1', at, end), 16);
      this.#state = this.#remaining === 0 ? 'trailer' : 'chunk';
    } else if (this.#state === 'chunk-end') {
      this.#state = 'chunk-size';
    } else if (end === at) {
      this.#finish();
    }
    return end + 2;
  }

  #finish(): void {
    this.#state = 'head';
    this.#handler.onEnd(this.#status);
  }
}
