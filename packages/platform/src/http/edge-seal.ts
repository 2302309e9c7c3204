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

/** Of a header that a stranger may have written; a process signs with two secrets at most. */
const maxSignatures = 2;

/**
 * @param secret shared by all processes of the installation
 * @param previous the one before: signed with as well, since others may not know the new one yet, and taken from those
 */
export function createEdgeSeal(secret: string, previous?: string): EdgeSeal {
  const keys = [secret, ...(previous === undefined ? [] : [previous])].map((from) =>
    Buffer.from(hkdfSync('sha256', from, '', 'edge', 32)),
  );
  const digest = (headers: IncomingHttpHeaders, key: Buffer): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([headers['x-forwarded-for'], headers['x-request-id']]))
      .digest();
  return {
    sign: (headers) => keys.map((key) => digest(headers, key).toString('base64url')).join(','),
    isGenuine(headers) {
      const given = headers[edgeSealHeader];
      if (typeof given !== 'string') return false;
      const wanted = keys.map((key) => digest(headers, key));
      return given.split(',', maxSignatures).some((signature) => {
        const sent = Buffer.from(signature, 'base64url');
        return wanted.some((one) => sent.length === one.length && timingSafeEqual(sent, one));
      });
    },
  };
}
