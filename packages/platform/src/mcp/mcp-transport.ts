import { parseBoundedJson } from '@portcullis/core/json/json-bounds';
/** Codes with which a server says that it does not know the handshake, or only another revision. */
const foreignToHandshake = new Set([-32_600, -32_601, -32_602, -32_020, -32_022]);

/** The target answered, and not as MCP says. */
export class McpFault extends Error {
  /** HTTP status of the answer, when that was the reason. */
  readonly status: number | undefined;
  /** A server without sessions would have answered like that. */
  readonly mayBeStateless: boolean;

  constructor(message: string, { status, code }: { readonly status?: number; readonly code?: unknown } = {}) {
    super(message);
    this.status = status;
    this.mayBeStateless =
      status === 400 || status === 404 || status === 405 || foreignToHandshake.has(Number(code ?? 0));
  }
}

export type Message = Readonly<Record<string, unknown>>;

/** JSON-RPC towards one server. */
export interface McpTransport {
  /** Sent with every message, where messages have headers. */
  readonly headers: Record<string, string>;
  /** The result of a method. @throws {McpFault} */
  readonly call: (method: string, params: object) => Promise<Message>;
  readonly notify: (method: string) => Promise<void>;
  /** Ends the session, if there is one. */
  readonly close: () => Promise<void>;
}

/** Longest answer of a target, in bytes. */
export const maxAnswerBytes = 10_485_760;
const shownLength = 200;

export const answerTooLong = (): McpFault => new McpFault(`The target's answer is longer than ${maxAnswerBytes} bytes`);

/** What a server may ask before it is taken for one that never stops. */
export const maxServerRequests = 100;

export const tooManyServerRequests = (): McpFault => new McpFault('The target never stops asking');

/** @throws {McpFault} for an error, and for an answer that has neither */
export function readResult(answer: Message, method: string): Message {
  const { error, result } = answer;
  if (isObject(error)) {
    const { code } = error;
    throw new McpFault(`The target refused ${method}: ${String(error['message']).slice(0, shownLength)}`, { code });
  }
  if (!isObject(result)) throw new McpFault(`The target's answer to ${method} has no result`);
  return result;
}

/** Undefined for what is no JSON object. */
export function parseMessage(text: string): Message | undefined {
  try {
    const message = parseBoundedJson(text);
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
