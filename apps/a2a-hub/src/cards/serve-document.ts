import { hash } from 'node:crypto';

/**
 * A document that clients and what stands between may keep, and ask for again by its ETag.
 * @param lasting whether it is the same for every client of its kind
 */
export function serveDocument(document: object, { lasting }: { readonly lasting: boolean }) {
  const text = JSON.stringify(document);
  return {
    text,
    headers: {
      etag: `"${hash('sha256', text, 'base64url').slice(0, 27)}"`,
      'cache-control': lasting ? 'public, max-age=300' : 'no-store',
      vary: 'A2A-Version, Origin',
    },
  };
}
