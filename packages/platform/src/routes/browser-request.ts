import { csrfHeader } from '@portcullis/contracts/browser-session';
import type { IncomingMessage } from 'node:http';
import { calledOriginOf } from '../http/called-origin.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { takeRequestId } from '../http/request-id.ts';

/** What of a request says which session of a browser it belongs to. */
export interface BrowserRequest {
  readonly method: string;
  /** The header Cookie as sent. */
  readonly cookie: string | undefined;
  /** The header `X-CSRF-Token` as sent; undefined without one. */
  readonly csrfToken: string | undefined;
  /** Scheme, host and port that the client called, as it says. */
  readonly calledOrigin: string;
}

export function browserRequestOf(request: IncomingMessage): BrowserRequest {
  const { method = 'GET', headers } = request;
  const csrfToken = headers[csrfHeader.toLowerCase()];
  return {
    method,
    cookie: headers.cookie,
    csrfToken: typeof csrfToken === 'string' ? csrfToken : undefined,
    calledOrigin: calledOriginOf(request),
  };
}

/** From where a request comes whose caller is not known yet, for the audit log. */
export const auditedCallOf = (request: IncomingMessage, clientAddress: ClientAddress) => ({
  caller: undefined,
  clientIp: clientAddress(request),
  userAgent: request.headers['user-agent'],
  requestId: takeRequestId(request),
});
