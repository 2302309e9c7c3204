import type { ServerResponse } from 'node:http';

const headers = new Map([
  ['cache-control', 'no-store'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
]);

const nothing = "default-src 'none'; frame-ancestors 'none'";

/**
 * An answer holds nothing that a browser should frame, sniff or keep, and nothing that it should run.
 * @param contentSecurityPolicy of a page that needs more
 */
export function setSecurityHeaders(response: ServerResponse, contentSecurityPolicy = nothing): void {
  response.setHeaders(headers).setHeader('content-security-policy', contentSecurityPolicy);
}
