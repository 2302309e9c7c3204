import { parseBoundedJsonCooperatively, alwaysWithinBounds, TooManyValues } from '@portcullis/core/json/json-bounds';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import type { Request, RequestHandler } from 'express';
import { runTimeSliced } from '../event-loop/run-time-sliced.ts';
import type { ReadBodyText } from './body-reader.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { findJsonFault } from '../validation/json-fault.ts';

/** Reads a JSON body into `request.body`; absent bodies stay undefined. Refusals go to the error funnel. */
export function createJsonBody(read: ReadBodyText): RequestHandler {
  return async (request, response, next) => {
    if (hasBody(request)) {
      if (request.is(['json', '+json']) === false) {
        throw new GatewayError('unsupported_media_type', { message: 'Send application/json' });
      }
      const text = await read(request, response);
      if (text !== '') request.body = await parse(text);
    }
    next();
  };
}

export const hasBody = ({ headers }: Request): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;

async function parse(text: string): Promise<unknown> {
  try {
    if (text.length > alwaysWithinBounds) return await runTimeSliced(parseBoundedJsonCooperatively(text));
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof TooManyValues) throw new GatewayError('payload_too_large', { message: error.message });
    if (error instanceof NestedTooDeep) throw new GatewayError('bad_request', { message: error.message });
    if (error instanceof SyntaxError) throw invalidJson(text);
    throw error;
  }
}

function invalidJson(text: string): GatewayError {
  // Looking for the place goes through the text letter by letter.
  if (text.length > alwaysWithinBounds) return new GatewayError('invalid_json');
  const { line, column } = findJsonFault(text);
  const rule = `is not valid JSON at line ${line}, column ${column}`;
  return new GatewayError('invalid_json', { problems: [{ path: '/body', rule }] });
}
