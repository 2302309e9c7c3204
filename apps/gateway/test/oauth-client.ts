import type { Browser } from '@portcullis/testkit/browser';
import { decideConsent } from '@portcullis/testkit/consent';
import { createHash, randomBytes } from 'node:crypto';

export interface RegisteredClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly redirect_uris: readonly string[];
}

export interface TokenAnswer {
  readonly status: number;
  readonly body: {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly expires_in: number;
    readonly error: string;
  };
}

type Fields = Readonly<Record<string, string | undefined>>;

/** Speaks to the authorization server of one proxy by hand, so that it can do what no client should. */
export class OAuthByHand {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param address from which it speaks */
  constructor(gatewayUrl: string, proxyId: number, address: string) {
    this.#base = `${gatewayUrl}/api/v1/oauth-proxy/${proxyId}`;
    this.#headers = { 'x-forwarded-for': address };
  }

  async registerRaw(metadata: object): Promise<Response> {
    return fetch(`${this.#base}/register`, {
      method: 'POST',
      headers: { ...this.#headers, 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none', ...metadata }),
    });
  }

  async register(metadata: object = {}): Promise<RegisteredClient> {
    const answer = await this.registerRaw(metadata);
    if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as RegisteredClient;
  }

  authorizationUrl(clientId: string, verifier: string, changes: Fields = {}): URL {
    const url = new URL(`${this.#base}/authorize`);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const fields: Fields = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      state: 'xyz',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...changes,
    };
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) url.searchParams.set(name, value);
    return url;
  }

  /** Has the user say yes. @returns the address to which they are sent */
  signIn(browser: Browser, clientId: string, verifier: string, changes: Fields = {}): Promise<URL> {
    return decideConsent(browser, this.authorizationUrl(clientId, verifier, changes), isBack);
  }

  async token(fields: Fields, headers: Readonly<Record<string, string>> = {}): Promise<TokenAnswer> {
    const answer = await this.#post('token', fields, headers);
    return { status: answer.status, body: (await answer.json()) as TokenAnswer['body'] };
  }

  exchange(clientId: string, code: string, verifier: string, changes: Fields = {}): Promise<TokenAnswer> {
    return this.token({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
      ...changes,
    });
  }

  refresh(clientId: string, token: string): Promise<TokenAnswer> {
    return this.token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token });
  }

  async revoke(clientId: string, token: string): Promise<number> {
    return (await this.#post('revoke', { client_id: clientId, token })).status;
  }

  #post(path: string, fields: Fields, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, value);
    return fetch(`${this.#base}/${path}`, { method: 'POST', headers: { ...this.#headers, ...headers }, body });
  }
}

export const redirectUri = 'http://127.0.0.1:33418/callback';
export const isBack = (url: URL): boolean => url.href.startsWith(redirectUri);
export const newVerifier = (): string => randomBytes(32).toString('base64url');
