import type { ErrorRequestHandler, RequestHandler } from 'express';
import { inspect } from 'node:util';
import { DatabaseUnavailable } from '../database/database-unavailable.ts';
import type { Logger } from '../log/logger.ts';
import type { Caller } from './bound-route.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { GatewayError, renderFailure, renderOAuthFailure } from '../http/gateway-error.ts';
import { endpointOf } from './observe-requests.ts';
import { callerOf } from './role-check.ts';
import { sendPage } from '../http/send-page.ts';
import { requestIdOf } from '../http/request-id.ts';

/** A request that was not answered with what it asked for, by a known caller or anybody. */
export interface Refusal {
  readonly error: GatewayError;
  readonly caller: Caller | undefined;
  readonly method: string;
  /** The route's path with the names of its parameters, or `unmatched`. */
  readonly endpoint: string;
  readonly clientIp: string;
  readonly userAgent: string | undefined;
  readonly requestId: string;
}

const speaksOAuth = new WeakSet<object>();

/** Renders the refusals of a route as OAuth has them. */
export const renderAsOAuth: RequestHandler = (_request, response, next) => {
  speaksOAuth.add(response);
  next();
};

/** The only place where a throw becomes an answer. What we did not expect is logged and answered as `Internal error`. */
export const createErrorHandler =
  (log: Logger, clientAddress: ClientAddress, onRefused: (refusal: Refusal) => void = () => {}): ErrorRequestHandler =>
  (thrown, request, response, _next) => {
    const error = asGatewayError(thrown);
    const requestId = requestIdOf(request);
    if (error.entry.status >= 500) {
      log.error(error.entry.text, {
        request_id: requestId,
        method: request.method,
        path: request.path,
        problem: inspect(error.details.cause ?? error.message),
      });
    }
    onRefused({
      error,
      caller: callerOf(request),
      method: request.method,
      endpoint: endpointOf(request),
      clientIp: clientAddress(request),
      userAgent: request.get('user-agent'),
      requestId,
    });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { headers = {}, page } = error.details;
    response.status(error.entry.status).set(headers);
    if (page !== undefined) sendPage(response, page);
    else response.json(speaksOAuth.has(response) ? renderOAuthFailure(error) : renderFailure(error, requestId));
  };

function asGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof DatabaseUnavailable) {
    return new GatewayError('service_unavailable', { message: 'The database is not available', cause: thrown });
  }
  // Express, of a path that does not decode.
  if (thrown instanceof Error && 'status' in thrown && thrown.status === 400) {
    return new GatewayError('bad_request', { message: thrown.message });
  }
  return new GatewayError('internal_error', { cause: thrown });
}
