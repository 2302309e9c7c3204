import type { Response } from 'express';

/** A page for people, for clients that ask for one where the route has it. */
export interface PageAnswer {
  /** A whole HTML document. */
  readonly page: string;
  /** What the page may load; it runs nothing. */
  readonly contentSecurityPolicy: string;
}

/** Sends a page in place of the envelope. */
export function sendPage(response: Response, { page, contentSecurityPolicy }: PageAnswer): void {
  response.set('content-security-policy', contentSecurityPolicy).vary('Accept').type('html').send(page);
}
