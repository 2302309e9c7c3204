import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The header by which the process with the public edge shows the others that a request comes from it. */
export const edgeSealHeader = 'x-portcullis-edge';

/** Shows that it was a process of this gateway that wrote the forwarded headers, wherever it connects from. */
export interface EdgeSeal {
  /** The value of the header for a request that is handed on with these headers. */
  sign(headers: IncomingHttpHeaders): string;
  /** Whether the headers are those that were signed. */
  isGenuine(headers: IncomingHttpHeaders): boolean;
}

/**
 * @param secret shared by all processes of the installation
 * @param previous the one before, which others may still sign with
 */
export function createEdgeSeal(secret: string, previous?: string): EdgeSeal {
  const derive = (from: string): Buffer => Buffer.from(hkdfSync('sha256', from, '', 'edge', 32));
  const key = derive(secret);
  const keys = previous === undefined ? [key] : [key, derive(previous)];
  const digest = (headers: IncomingHttpHeaders, by: Buffer = key): Buffer =>
    createHmac('sha256', by)
      .update(JSON.stringify([headers['x-forwarded-for'], headers['x-request-id']]))
      .digest();
  return {
    sign: (headers) => digest(headers).toString('base64url'),
    isGenuine(headers) {
      const given = headers[edgeSealHeader];
      if (typeof given !== 'string') return false;
      const sent = Buffer.from(given, 'base64url');
      return keys.some((by) => {
        const wanted = digest(headers, by);
        return sent.length === wanted.length && timingSafeEqual(sent, wanted);
      });
    },
  };
}
