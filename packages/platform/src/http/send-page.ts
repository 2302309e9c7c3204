import type { Response } from 'express';
import type { PageAnswer } from './bound-route.ts';

/** Sends a page in place of the envelope. */
export function sendPage(response: Response, { page, contentSecurityPolicy }: PageAnswer): void {
  response.set('content-security-policy', contentSecurityPolicy).vary('Accept').type('html').send(page);
}
