import { findRedirect } from '@portcullis/core/oauth/find-redirect';
import { compileRedirectAdmission } from '@portcullis/core/oauth/redirect-patterns';
import { redirectsOf, type ClientRow } from './client-queries.ts';
import type { ProxyServer } from './proxy-server.ts';

/** What the client, or its user, is told. */
export const redirectNotAllowed = 'The client is reached at an address that this proxy does not admit any more';

/** The addresses that a client registered and that the proxy admits today: its patterns may have been narrowed since. */
export function allowedRedirectsOf({ settings }: ProxyServer, client: ClientRow): readonly string[] {
  return redirectsOf(client).filter(compileRedirectAdmission(settings.redirectPatterns));
}

/** Whether a code may still go to an address that was good when it was asked for. */
export const isAdmitted = (redirectUri: string, server: ProxyServer, client: ClientRow): boolean =>
  findRedirect(allowedRedirectsOf(server, client), redirectUri) !== undefined;
