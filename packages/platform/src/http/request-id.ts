import type { RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const acceptable = /^[\w.:-]{1,128}$/;
const ids = new WeakMap<IncomingMessage, string>();

/** Gives every request an id, the client's own `X-Request-Id` when it is harmless, and sends it back. */
export const assignRequestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const id = given !== undefined && acceptable.test(given) ? given : randomUUID();
  ids.set(request, id);
  response.setHeader('x-request-id', id);
  next();
};

export const requestIdOf = (request: IncomingMessage): string => ids.get(request) ?? '';
