import type { RequestHandler } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../config/config.ts';

/** Whether pages of a browser origin may use the API and `/ws`. */
export type OriginRule = (origin: string) => boolean;

const localhost = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

export const createOriginRule =
  (config: Pick<Config, 'ENVIRONMENT' | 'ALLOWED_ORIGINS'>): OriginRule =>
  (origin) =>
    config.ALLOWED_ORIGINS.includes(origin) || (config.ENVIRONMENT === 'development' && localhost.test(origin));

const preflightSeconds = 3_600;
const exposed = 'X-Request-Id, X-Total-Count, Retry-After, ETag';
const allowed = 'Authorization, Content-Type, If-Match, X-API-Key, X-Request-Id';
const join = (names: string, more: string | undefined): string => (more === undefined ? names : `${names}, ${more}`);

/** Headers beside those of the API that pages may send and read, each list with commas. */
interface PageHeaders {
  readonly allow: string;
  readonly expose: string;
}

/**
 * Lets pages of allowed origins read the answer, and answers preflights. Never `*`: the origin is echoed or nothing is said.
 * @returns whether it was a preflight, which has its answer with that
 */
export function answerCors(
  request: IncomingMessage,
  response: ServerResponse,
  allows: OriginRule,
  more?: PageHeaders,
): boolean {
  const { origin } = request.headers;
  response.appendHeader('vary', 'Origin');
  if (origin !== undefined && allows(origin)) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-allow-credentials', 'true');
    response.setHeader('access-control-expose-headers', join(exposed, more?.expose));
  }
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE');
  response.setHeader('access-control-allow-headers', join(allowed, more?.allow));
  response.setHeader('access-control-max-age', String(preflightSeconds));
  response.writeHead(204).end();
  return true;
}

export const createCors =
  (allows: OriginRule): RequestHandler =>
  (request, response, next) => {
    if (!answerCors(request, response, allows)) next();
  };
