import type { RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const acceptable = /^[\w.:-]{1,128}$/;
const ids = new WeakMap<IncomingMessage, string>();

/** Gives every request an id, the client's own `X-Request-Id` when it is harmless, and sends it back. */
export const assignRequestId: RequestHandler = (request, response, next) => {
  response.setHeader('x-request-id', takeRequestId(request));
  next();
};

/** Gives a request its id, once, and answers it. */
export function takeRequestId(request: IncomingMessage): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && acceptable.test(given) ? given : randomUUID();
  ids.set(request, id);
  return id;
}

export const requestIdOf = (request: IncomingMessage): string => ids.get(request) ?? '';
