import { isUtf8 } from 'node:buffer';
import type { Request, Response } from 'express';
import { freeAnonymousBytes, type BodyMemory } from '../http/body-memory.ts';
import { bodyCodings, BodyNotDecodable, decodeBody, findBodyDecoder } from '../http/decode-body.ts';
import { openHeldBody, type HeldBody } from '../http/held-body.ts';
import { BodyTooLarge, BodyUnreadable, ClientGone, BodyMemoryExhausted, tooManyLarge } from '../http/receive-body.ts';
import type { Caller } from './bound-route.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { callerOf } from './role-check.ts';

export interface BodyReaderParts {
  readonly maxBytes: number;
  readonly memory: BodyMemory;
  readonly clientAddress: ClientAddress;
}

/** Largest body of a caller who is not known: what the public routes take has a tenth of it. */
export const maxAnonymousBytes = 65_536;

/** Reads the text of a body, in UTF-8 and without a byte order mark. @throws {GatewayError} */
export type ReadBodyText = (request: Request, response: Response, maxBytes?: number) => Promise<string>;

/** Reads a body as it is, once it is out of its content encoding. @throws {GatewayError} */
export type ReadBodyBytes = (request: Request, response: Response, maxBytes?: number) => Promise<Buffer>;

export function createBodyReader(parts: BodyReaderParts): ReadBodyText {
  const readBytes = createBytesReader(parts);
  return async (request, response, maxBytes) => textOf(await readBytes(request, response, maxBytes));
}

/** The bodies of routes take their memory where those of traffic do, until they are answered. */
export function createBytesReader({ maxBytes: most, memory, clientAddress }: BodyReaderParts): ReadBodyBytes {
  return async (request, response, maxBytes = most) => {
    const caller = callerOf(request);
    if (caller !== undefined) return read(request, response, openHeldBody(memory.all, holderOf(caller)), maxBytes);
    const held = openHeldBody(memory.anonymous, clientAddress(request), freeAnonymousBytes);
    return read(request, response, held, Math.min(maxBytes, maxAnonymousBytes));
  };
}

const holderOf = ({ kind, id }: Caller): number => (kind === 'user' ? -id : id);

async function read(request: Request, response: Response, held: HeldBody, maxBytes: number): Promise<Buffer> {
  response.once('close', () => held.free());
  try {
    return await decode(request, await held.receive(request, maxBytes), held, maxBytes);
  } catch (error) {
    held.free();
    throw asRefusal(error, maxBytes, callerOf(request) === undefined);
  }
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new GatewayError('invalid_json', { message: 'The body is not valid UTF-8' });
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** A compressed body, bounded by what comes out of it. */
async function decode(request: Request, bytes: Buffer, held: HeldBody, maxBytes: number): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = request.headers;
  if (!/^utf-?8$/i.test(/;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1] ?? 'utf-8')) {
    throw new GatewayError('unsupported_media_type', { message: 'The charset must be UTF-8' });
  }
  if (encoding === 'identity' || bytes.length === 0) return bytes;
  const decoder = findBodyDecoder(encoding);
  if (decoder === undefined) {
    throw new GatewayError('unsupported_media_type', { message: `The content encoding must be ${bodyCodings}` });
  }
  const decoded = await decodeBody(decoder, bytes, maxBytes);
  if (!held.take(decoded.length)) throw new BodyMemoryExhausted();
  return decoded;
}

function asRefusal(error: unknown, maxBytes: number, isStranger: boolean): unknown {
  if (error instanceof BodyTooLarge) {
    return new GatewayError('payload_too_large', {
      message: `At most ${maxBytes} bytes are accepted${isStranger ? ' without a login' : ''}`,
    });
  }
  if (error instanceof BodyMemoryExhausted) {
    return new GatewayError('service_unavailable', { message: tooManyLarge, headers: { 'retry-after': '1' } });
  }
  if (error instanceof BodyNotDecodable) {
    const message = `The body is not in its content encoding: ${error.message}`;
    return new GatewayError('bad_request', { message });
  }
  if (error instanceof BodyUnreadable) return new GatewayError(error.reason);
  return error instanceof ClientGone ? new GatewayError('client_closed') : error;
}
