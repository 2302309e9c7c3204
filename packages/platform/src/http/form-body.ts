import express, { type RequestHandler } from 'express';
import { GatewayError } from './gateway-error.ts';

const maxBytes = 32_768;

/** Reads the body of a form into `request.body`, as texts by their names; absent bodies stay undefined. */
export function createFormBody(): RequestHandler {
  const read = express.urlencoded({ extended: false, limit: maxBytes, parameterLimit: 50 });
  return (request, response, next) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (Number(length ?? 0) === 0 && encoding === undefined) return next();
    if (request.is('application/x-www-form-urlencoded') === false) {
      throw new GatewayError('unsupported_media_type', { message: 'Send application/x-www-form-urlencoded' });
    }
    return read(request, response, next);
  };
}
