import type { RequestHandler } from 'express';
import type { Config } from '../config/config.ts';

/** Whether pages of a browser origin may use the API and `/ws`. */
export type OriginRule = (origin: string) => boolean;

const localhost = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

export const createOriginRule =
  (config: Pick<Config, 'ENVIRONMENT' | 'ALLOWED_ORIGINS'>): OriginRule =>
  (origin) =>
    config.ALLOWED_ORIGINS.includes(origin) || (config.ENVIRONMENT === 'development' && localhost.test(origin));

const preflightSeconds = 3_600;

/** Answers preflights and lets allowed origins read. Never `*`: the origin is echoed or nothing is said. */
export const createCors =
  (allows: OriginRule): RequestHandler =>
  (request, response, next) => {
    const origin = request.get('origin');
    response.vary('Origin');
    if (origin !== undefined && allows(origin)) {
      response.set({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'X-Request-Id, X-Total-Count, Retry-After, ETag',
      });
    }
    if (request.method !== 'OPTIONS' || request.get('access-control-request-method') === undefined) {
      next();
      return;
    }
    response.set({
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'Authorization, Content-Type, If-Match, X-API-Key, X-Request-Id',
      'access-control-max-age': String(preflightSeconds),
    });
    response.status(204).end();
  };
