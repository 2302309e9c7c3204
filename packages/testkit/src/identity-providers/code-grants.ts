import { createHash, randomUUID } from 'node:crypto';
import type { RecordedRequest } from '../loopback-peer.ts';

/** What a code stands for. */
export interface CodeGrant {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string | null;
  readonly scope: string;
}

export const peerClientId = 'gateway';
export const peerClientSecret = 's3cret of the gateway';

/** Codes of an imitated provider: each is for one redirect URI and one PKCE secret, and good once. */
export class CodeGrants {
  readonly #grants = new Map<string, CodeGrant>();

  /** Where to send the browser back to; undefined for a request that no provider takes. */
  authorize(query: URLSearchParams, redirectUris: readonly string[], denies: boolean): URL | undefined {
    const redirectUri = query.get('redirect_uri') ?? '';
    const challenge = query.get('code_challenge') ?? '';
    const isProper =
      query.get('client_id') === peerClientId &&
      query.get('response_type') === 'code' &&
      redirectUris.includes(redirectUri) &&
      query.get('code_challenge_method') === 'S256' &&
      challenge !== '';
    if (!isProper) return undefined;
    const back = new URL(redirectUri);
    back.searchParams.set('state', query.get('state') ?? '');
    if (denies) {
      back.searchParams.set('error', 'access_denied');
      return back;
    }
    const code = randomUUID();
    this.#grants.set(code, { redirectUri, challenge, nonce: query.get('nonce'), scope: query.get('scope') ?? '' });
    back.searchParams.set('code', code);
    return back;
  }

  /** Undefined for a code that is not good with what came beside it. */
  take(form: URLSearchParams): CodeGrant | undefined {
    const code = form.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return grant?.challenge === challenge && grant.redirectUri === form.get('redirect_uri') ? grant : undefined;
  }
}

/** The secret in the header, as forms encode it, or in the body. */
export function isPeerClient({ headers }: RecordedRequest, form: URLSearchParams): boolean {
  const [scheme, credentials = ''] = headers.authorization?.split(' ') ?? [];
  if (scheme !== 'Basic')
    return form.get('client_id') === peerClientId && form.get('client_secret') === peerClientSecret;
  const [id = '', secret = ''] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  const decoded = [...new URLSearchParams(`a=${id}&b=${secret}`).values()];
  return decoded[0] === peerClientId && decoded[1] === peerClientSecret;
}
