import { objectOf, type JsonObject } from '@portcullis/core/json/json-object';
import { checkJsonBounds, TooManyValues, type JsonBounds } from '@portcullis/core/json/json-bounds';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../http/gateway-error.ts';
import type { HeldBody } from '../http/held-body.ts';
import { BodyTooLarge, ClientGone, BodyMemoryExhausted, tooManyLarge } from '../http/receive-body.ts';
import { rpcCodes } from './rpc-failure.ts';

/** The body of a POST, or why it is none. */
export type ReadMessages =
  | { readonly kind: 'messages'; readonly body: unknown; readonly messages: readonly unknown[] }
  /** The client has gone before it had sent its body. */
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'failure';
      readonly status: number;
      readonly code: number;
      readonly message: string;
      readonly id?: unknown;
    };

/** Clients of 2025-03-26 may send several messages at once; later ones must not. */
const maxBatch = 50;
const jsonType = /^application\/json\s*(?:;|$)/i;

const failure = (status: number, code: number, message: string, id?: unknown): ReadMessages => ({
  kind: 'failure',
  status,
  code,
  message,
  ...(id !== undefined && { id }),
});

/** @param held where its memory is taken @throws {GatewayError} when there is no more */
export async function readMessages(request: IncomingMessage, maxBytes: number, held: HeldBody): Promise<ReadMessages> {
  if (!jsonType.test(request.headers['content-type'] ?? '')) {
    return failure(415, rpcCodes.refused, 'Send the message with content-type: application/json');
  }
  try {
    return parseMessages(await held.receive(request, maxBytes));
  } catch (error) {
    if (error instanceof ClientGone) return { kind: 'gone' };
    if (error instanceof BodyTooLarge)
      return failure(413, rpcCodes.refused, `A message may have at most ${maxBytes} bytes`);
    if (error instanceof BodyMemoryExhausted)
      throw new GatewayError('service_unavailable', { message: tooManyLarge, headers: { 'retry-after': '1' } });
    throw error;
  }
}

/** What messages of tools hold beside one long text is little. */
const bounds: JsonBounds = { numbers: 10_000, texts: 10_000, keys: 5_000 };

/** Characters of which nothing can be made that is beyond them. */
const alwaysWithinBounds = 10_000;

export function parseMessages(bytes: Buffer): ReadMessages {
  if (!isUtf8(bytes)) return failure(400, rpcCodes.parseError, 'The body is not valid UTF-8');
  let body: unknown;
  try {
    const text = bytes.toString('utf8');
    if (text.length > alwaysWithinBounds) checkJsonBounds(text, bounds);
    body = JSON.parse(text);
  } catch (error) {
    if (error instanceof TooManyValues || error instanceof NestedTooDeep)
      return failure(413, rpcCodes.refused, error.message);
    return failure(400, rpcCodes.parseError, 'The body is not valid JSON');
  }
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (messages.length === 0 || messages.length > maxBatch) {
    return failure(400, rpcCodes.invalidRequest, `A batch has 1 to ${maxBatch} messages`);
  }
  for (const message of messages) {
    const object = objectOf(message);
    const isMessage =
      object?.['jsonrpc'] === '2.0' && (typeof object['method'] === 'string' || object['id'] !== undefined);
    if (!isMessage) {
      return failure(400, rpcCodes.invalidRequest, 'A message is a JSON-RPC 2.0 object with a method', idOf(object));
    }
  }
  return { kind: 'messages', body: completeInitialize(body), messages };
}

const idOf = (message: JsonObject | undefined): unknown =>
  ['string', 'number'].includes(typeof message?.['id']) ? message?.['id'] : undefined;

const oldest = '2024-11-05';

/** Clients call `initialize` without parameters, or without those that they have nothing to say in. */
function completeInitialize(body: unknown): unknown {
  const message = objectOf(body);
  if (message?.['method'] !== 'initialize') return body;
  const { protocolVersion = oldest, capabilities = {}, clientInfo, ...rest } = objectOf(message['params']) ?? {};
  const { name = 'unknown', version = '0', ...info } = objectOf(clientInfo) ?? {};
  return {
    ...message,
    params: {
      ...rest,
      protocolVersion,
      capabilities,
      clientInfo: { ...info, name: String(name), version: String(version) },
    },
  };
}

/** As a client calls itself: at `initialize`, and since 2026-07-28 in each message. */
export function clientNameOf(message: unknown): string | undefined {
  const params = objectOf(objectOf(message)?.['params']);
  const info = params?.['clientInfo'] ?? objectOf(params?.['_meta'])?.['io.modelcontextprotocol/clientInfo'];
  const name = objectOf(info)?.['name'];
  return typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 100) : undefined;
}
