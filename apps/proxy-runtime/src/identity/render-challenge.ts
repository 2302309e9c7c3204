import { metadataPaths } from '@portcullis/platform/oauth-proxy/metadata-paths';
import type { Exchange } from '../exchange/exchange.ts';

/** Paths that can stand in a header between quotes. */
const plainPath = /^\/[\w\-.~/%]{0,500}$/;

/**
 * What `WWW-Authenticate` says to a client without a good credential, as the authorization rules of MCP ask: where it learns
 * how to get one. Undefined on proxies that take keys alone.
 * @param error undefined where it sent no credential
 */
export function renderChallenge({ proxy: { oauth }, path }: Exchange, error?: 'invalid_token'): string | undefined {
  if (oauth === undefined) return undefined;
  const behind = path !== '/' && plainPath.test(path) ? path : '';
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${oauth.issuer}${metadataPaths.resource}${behind}"`,
    ...(oauth.scopes.length === 0 ? [] : [`scope="${oauth.scopes.join(' ')}"`]),
  ];
  return `Bearer ${parts.join(', ')}`;
}
