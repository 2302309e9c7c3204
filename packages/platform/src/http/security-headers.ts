import type { RequestHandler } from 'express';

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** An API answers nothing that a browser should run, frame, sniff or keep. */
export const setSecurityHeaders: RequestHandler = (_request, response, next) => {
  response.set(headers);
  next();
};
