import { errorCatalogue } from '@portcullis/contracts/errors';
import { findPresentedKey, findSessionToken } from '@portcullis/core/identity/presented-key';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { renderResourceMetadata } from '@portcullis/platform/oauth-proxy/metadata';
import { metadataPaths } from '@portcullis/platform/oauth-proxy/metadata-paths';
import type { OAuthEntry, ProxyEntry, Snapshot } from '../snapshot/snapshot.ts';

/**
 * Answers what clients ask before they have a token: of the proxy as a protected resource, of its authorization server, and by
 * which keys its tokens are signed. Nothing of it on proxies that take keys alone.
 * @returns false for any other request
 */
export function answerWellKnown(
  request: IncomingMessage,
  response: ServerResponse,
  { oauth }: ProxyEntry,
  snapshot: Snapshot,
): boolean {
  const { method = '', url = '' } = request;
  if (oauth === undefined || !url.startsWith('/.well-known/')) return false;
  const [path = ''] = url.split('?', 1);
  const document = findDocument(path, oauth, snapshot);
  if (document === undefined) return false;
  // Anyone may read it, pages of any site included; the version of the protocol is a header that browsers ask about first.
  const headers = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=60' };
  if (method === 'GET' || method === 'HEAD') {
    const type = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(document) };
    response.writeHead(200, { ...headers, ...type }).end(method === 'GET' ? document : undefined);
  } else if (method === 'OPTIONS') {
    const asked = { 'access-control-allow-methods': 'GET', 'access-control-allow-headers': 'mcp-protocol-version' };
    response.writeHead(204, { ...headers, ...asked }).end();
  } else {
    response.writeHead(405, { allow: 'GET, HEAD, OPTIONS', connection: 'close' }).end();
  }
  return true;
}

/**
 * Clients look for metadata before they have a credential, and take 404 for "there is none": 401 would have them look for where to
 * sign in for good. Who shows a credential reaches the target's own documents.
 * @returns false for any other request
 */
export function answerUnknown(request: IncomingMessage, response: ServerResponse, { type }: ProxyEntry): boolean {
  const { method, url = '', headers, socket } = request;
  if (type !== 'mcp' || !url.startsWith('/.well-known/') || (method !== 'GET' && method !== 'HEAD')) return false;
  const isKnown = findPresentedKey(headers) !== undefined || findSessionToken(headers) !== undefined;
  if (isKnown || Reflect.get(socket, 'authorized') === true) return false;
  const { status, text, code } = errorCatalogue.not_found;
  const body = JSON.stringify({ success: false, error: text, error_code: code });
  const described = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, described).end(method === 'GET' ? body : undefined);
  return true;
}

const issuerOfProvider = ({ upstream }: OAuthEntry, { oauth }: Snapshot): string | undefined =>
  (upstream && oauth.providers.get(upstream.providerId))?.statedIssuer ?? undefined;

const plainPath = /^(?:\/[\w\-.~%]{1,200}){1,10}\/?$/;

function findDocument(path: string, oauth: OAuthEntry, snapshot: Snapshot): string | undefined {
  if (path === metadataPaths.server) return oauth.serverMetadata;
  if (path === metadataPaths.keys && oauth.serverMetadata !== undefined) {
    return JSON.stringify({ keys: [...snapshot.oauth.keys.values()].map(({ jwk }) => jwk) });
  }
  if (path !== metadataPaths.resource && !path.startsWith(`${metadataPaths.resource}/`)) return undefined;
  const behind = path.slice(metadataPaths.resource.length);
  // The path of the endpoint that a client calls, as its URL has it.
  if (behind !== '' && behind !== '/' && !plainPath.test(behind)) return undefined;
  const server = oauth.serverMetadata === undefined ? issuerOfProvider(oauth, snapshot) : oauth.issuer;
  if (server === undefined) return undefined;
  return JSON.stringify(renderResourceMetadata(oauth.issuer, behind === '/' ? '' : behind, oauth.scopes, server));
}
