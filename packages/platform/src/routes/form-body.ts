import type { RequestHandler } from 'express';
import { parse } from 'node:querystring';
import type { ReadBodyText } from './body-reader.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { hasBody } from './json-body.ts';

const maxBytes = 32_768;
const maxFields = 50;

/** Reads the body of a form into `request.body`, as texts by their names; absent bodies stay undefined. */
export function createFormBody(read: ReadBodyText): RequestHandler {
  return async (request, response, next) => {
    if (hasBody(request)) {
      if (request.is('application/x-www-form-urlencoded') === false) {
        throw new GatewayError('unsupported_media_type', { message: 'Send application/x-www-form-urlencoded' });
      }
      const text = await read(request, response, maxBytes);
      if (text.split('&', maxFields + 1).length > maxFields) {
        throw new GatewayError('bad_request', { message: `A form has at most ${maxFields} fields` });
      }
      request.body = { ...parse(text) };
    }
    next();
  };
}
