import { answerServerRequest } from './answer-server-request.ts';
import {
  answerTooLong,
  maxAnswerBytes,
  maxServerRequests,
  McpFault,
  tooManyServerRequests,
  parseMessage,
  readResult,
  type McpTransport,
  type Message,
} from './mcp-transport.ts';

export interface DialogueParts {
  /** Sends one message as it stands. */
  readonly send: (text: string) => Promise<void>;
  readonly close: () => void;
  readonly signal: AbortSignal;
}

/**
 * Finds the answer to each question where both sides speak on ways that stay open. Questions of the server
 * are answered too, or it might wait.
 */
export class McpDialogue {
  readonly #parts: DialogueParts;
  readonly #waiting = new Map<number, PromiseWithResolvers<Message>>();
  #lastId = 0;
  #questions = 0;
  /** Bytes that came since the last answer. */
  #bytes = 0;
  #fault: Error | undefined;

  constructor(parts: DialogueParts) {
    this.#parts = parts;
    const { signal } = parts;
    signal.addEventListener('abort', () => this.fail(new McpFault('The target took too long')), { once: true });
  }

  /** How the rest of this folder sees it. */
  get transport(): McpTransport {
    return {
      headers: {},
      call: (method, params) => this.#call(method, params),
      notify: (method) => this.#send({ method }),
      close: async () => this.#parts.close(),
    };
  }

  /** Takes what came from the server: whole messages, or parts of one. @returns false when it was too much */
  count(bytes: number): boolean {
    this.#bytes += bytes;
    if (this.#bytes > maxAnswerBytes) this.fail(answerTooLong());
    return this.#fault === undefined;
  }

  take(text: string): void {
    const message = parseMessage(text);
    if (message === undefined) return;
    const { id, method } = message;
    if (typeof method === 'string') {
      if (id !== undefined) this.#answer(id, method);
    } else if (typeof id === 'number') {
      this.#waiting.get(id)?.resolve(message);
      if (this.#waiting.delete(id)) this.#bytes = 0;
    }
  }

  /** Nothing more will come. */
  fail(fault: Error): void {
    this.#fault ??= fault;
    for (const { reject } of this.#waiting.values()) reject(this.#fault);
    this.#waiting.clear();
  }

  async #call(method: string, params: object): Promise<Message> {
    if (this.#fault !== undefined) throw this.#fault;
    this.#lastId += 1;
    const [id, answered] = [this.#lastId, Promise.withResolvers<Message>()];
    this.#waiting.set(id, answered);
    // A sender that failed has no answer to wait for.
    this.#send({ id, method, params }).catch(answered.reject);
    return readResult(await answered.promise, method);
  }

  #answer(id: unknown, method: string): void {
    this.#questions += 1;
    if (this.#questions > maxServerRequests) return this.fail(tooManyServerRequests());
    this.#send({ id, ...answerServerRequest(method) }).catch((error: unknown) => {
      this.fail(error instanceof Error ? error : new McpFault('The target takes no answers'));
    });
  }

  #send(message: object): Promise<void> {
    return this.#parts.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}
