import express, { type RequestHandler } from 'express';
import { GatewayError } from './gateway-error.ts';

/** Reads a JSON body into `request.body`; absent bodies stay undefined. Refusals go to the error funnel. */
export function createJsonBody(maxBytes: number): RequestHandler {
  const read = express.json({ limit: maxBytes, strict: false, type: () => true });

  return (request, response, next) => {
    const length = Number(request.headers['content-length'] ?? 0);
    if (length === 0 && request.headers['transfer-encoding'] === undefined) {
      next();
      return;
    }
    if (request.is(['json', '+json']) === false) {
      throw new GatewayError('unsupported_media_type', { message: 'Send application/json' });
    }
    // Told before the client has sent it all. The rest is read and thrown away: a connection that is closed under a client
    // that still sends loses it the answer.
    if (length > maxBytes) throw bodyTooLarge(maxBytes);
    read(request, response, next);
  };
}

export const bodyTooLarge = (maxBytes: number): GatewayError =>
  new GatewayError('payload_too_large', { message: `At most ${maxBytes} bytes are accepted` });
