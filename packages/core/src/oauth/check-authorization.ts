import { findRedirect } from './find-redirect.ts';

/** What an authorization request says. */
export type AuthorizationParameters = Readonly<
  Partial<
    Record<
      | 'response_type'
      | 'redirect_uri'
      | 'state'
      | 'scope'
      | 'resource'
      | 'code_challenge'
      | 'code_challenge_method'
      | 'request'
      | 'request_uri',
      string | undefined
    >
  >
>;

/** A request that may go on. */
export interface CheckedAuthorization {
  readonly kind: 'good';
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly challenge: string;
  /** Those of the proxy that were asked for; all where none was. */
  readonly scopes: readonly string[];
}

export type AuthorizationOutcome =
  | CheckedAuthorization
  /** Told to the user: no address is known to which it may be told. */
  | { readonly kind: 'shown'; readonly message: string }
  /** Told to the client. */
  | {
      readonly kind: 'refused';
      readonly redirectUri: string;
      readonly state: string | undefined;
      readonly error: string;
      readonly description: string;
    };

interface Server {
  readonly issuer: string;
  readonly scopes: readonly string[];
}

/** Checks an authorization request of a known client (OAuth 2.1, 4.1.1; PKCE with S256 alone). */
export function checkAuthorization(
  parameters: AuthorizationParameters,
  registered: readonly string[],
  { issuer, scopes }: Server,
): AuthorizationOutcome {
  const { redirect_uri: wanted = '', state, scope, resource } = parameters;
  const redirectUri = findRedirect(registered, wanted);
  if (redirectUri === undefined) {
    return { kind: 'shown', message: 'The client asked to send you to an address that it has not registered' };
  }
  const refuse = (error: string, description: string) =>
    ({ kind: 'refused', redirectUri, state, error, description }) as const;

  const problem = findProblem(parameters);
  if (problem !== undefined) return refuse(...problem);
  if (resource !== undefined && !isOf(issuer, resource)) {
    return refuse('invalid_target', `This authorization server gives tokens for ${issuer} only`);
  }
  const asked = new Set((scope ?? '').split(' '));
  const known = scopes.filter((one) => asked.has(one));
  return {
    kind: 'good',
    redirectUri,
    state,
    challenge: parameters.code_challenge ?? '',
    // What is not offered is left out, and the token's answer says so; with nothing left the client gets what there is.
    scopes: known.length === 0 ? scopes : known,
  };
}

function findProblem(parameters: AuthorizationParameters): readonly [error: string, description: string] | undefined {
  const { response_type: type, code_challenge: challenge = '', code_challenge_method: method } = parameters;
  if (parameters.request !== undefined) return ['request_not_supported', 'Send the parameters themselves'];
  if (parameters.request_uri !== undefined) return ['request_uri_not_supported', 'Send the parameters themselves'];
  if (type !== 'code') return ['unsupported_response_type', 'response_type must be code'];
  if (method !== 'S256') return ['invalid_request', 'code_challenge_method must be S256'];
  if (!/^[\w-]{43}$/.test(challenge)) return ['invalid_request', 'code_challenge must be a SHA-256 in base64url'];
  return undefined;
}

/** Whether a resource is the proxy, or a path of it. */
export const isOf = (issuer: string, resource: string): boolean =>
  URL.canParse(resource) && new URL(resource).origin === issuer && !resource.includes('#');

/** Where the browser goes with an answer for the client, which learns from `iss` who gave it (RFC 9207). */
export function renderRedirect(
  redirectUri: string,
  issuer: string,
  answer: Readonly<Record<string, string | undefined>>,
): string {
  const parameters = Object.entries({ ...answer, iss: issuer })
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  // As text: to read a registered address and to write it anew could make another one of it.
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`;
}
