import { isSignedToken, keyHeaders, type KeyHeader } from '@portcullis/core/identity/presented-key';
import { claimsLogin } from '@portcullis/platform/identity/tokens';
import type { Exchange } from '../exchange/exchange.ts';
import { isOwnToken } from '../identity/find-access-token.ts';

/**
 * The target's credentials as a header: the one that they name, else where the dialect has its key. Where an admin gave none,
 * the token that the user's provider gave for the target.
 */
export function renderTargetAuth(exchange: Exchange): readonly [name: string, value: string] | undefined {
  const { auth } = exchange.proxy.target;
  if (auth === undefined) {
    const token = exchange.user?.providerToken;
    return token === undefined ? undefined : ['authorization', `Bearer ${token}`];
  }
  if (auth.header !== undefined) return [auth.header.toLowerCase(), auth.value];
  const header = exchange.dialect.keyHeader ?? headerOfClient(exchange);
  return [header, header === 'authorization' ? `Bearer ${auth.value}` : auth.value];
}

/** Traffic of no known dialect has its key where its client has it: `X-API-Key` may be the gateway's own way. */
function headerOfClient({ presentedKey, request }: Exchange): KeyHeader {
  const header = presentedKey?.header ?? 'authorization';
  if (header === 'query') return 'x-goog-api-key';
  if (header === 'x-session-token') return 'authorization';
  return header === 'x-api-key' && request.headers['anthropic-version'] === undefined ? 'authorization' : header;
}

const places: ReadonlySet<string> = new Set(keyHeaders);

/** The token of a login opens the management API, so it is no target's business where a client sends it beside its key. */
function isLogin(value: string): boolean {
  const token = value.slice(value.lastIndexOf(' ') + 1);
  return isSignedToken(token) && claimsLogin(token);
}

/**
 * Tells whether a header of the client stays here: one that carries the gateway's key, whichever else does
 * too, the token of a login or one that a proxy here issued, which would open that proxy to the target of this one, and on an
 * LLM proxy any key of the client's where the proxy has its own for the target.
 * @param name lower case
 */
export function staysHere(exchange: Exchange, name: string, value: string): boolean {
  const { proxy, presentedKey, snapshot } = exchange;
  if (!places.has(name)) return false;
  if (isLogin(value)) return true;
  if (isOwnToken(value, snapshot)) return true;
  if (proxy.target.auth !== undefined && proxy.type === 'llm') return true;
  if (proxy.forwardGatewayKey || presentedKey === undefined) return false;
  return name === presentedKey.header || value.includes(presentedKey.token);
}
