import type { PageAnswer } from '@portcullis/platform/http/send-page';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { createHash } from 'node:crypto';
import { html, Markup } from '../reference/html.ts';

const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}' +
  'dt{font-weight:600}dd{margin:0 0 .75rem;overflow-wrap:anywhere}' +
  'button{font:inherit;padding:.5rem 1.5rem;margin:0 .5rem .5rem 0;min-height:2.75rem}';

/**
 * Runs nothing and loads nothing, and stands in no frame. Where its form may lead is not said: browsers take that for the whole
 * way, over the provider to the client, which is known to neither of them.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = { 'cache-control': 'no-store', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' };

const page = (title: string, content: Markup): Markup =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} - Portcullis</title>
        ${new Markup(`<style>${style}</style>`)}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `;

export interface Asked {
  readonly clientName: string;
  /** The host whose document the client is known by; undefined for one that anyone could have registered. */
  readonly clientHost: string | undefined;
  readonly proxyName: string;
  readonly providerName: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** Path to which the decision is sent. */
  readonly action: string;
  readonly ticket: string;
}

/** Asks a user whether a client may act for them. It works without a script, and with the keyboard alone. */
export const renderConsentPage = (
  asked: Asked,
  setCookie: string,
): PageAnswer & { headers: Record<string, string> } => ({
  contentSecurityPolicy,
  headers: { ...headers, 'set-cookie': setCookie },
  page: page(
    'Allow access?',
    html`<p>A program wants to use <strong>${asked.proxyName}</strong> in your name.</p>
      <dl>
        <dt>Program</dt>
        <dd>${asked.clientName} ${describeOrigin(asked.clientHost)}</dd>
        <dt>Where you are sent afterwards</dt>
        <dd>${describeRedirect(asked.redirectUri)}</dd>
        <dt>What it may do</dt>
        <dd>
          Call ${asked.proxyName} as you, with what ${asked.providerName} lets you
          do${asked.scopes.length === 0 ? '' : `: ${asked.scopes.join(', ')}`}
        </dd>
      </dl>
      <p>Allow it only if you have just started this yourself. You sign in with ${asked.providerName} next.</p>
      <form method="post" action="${asked.action}">
        <input type="hidden" name="ticket" value="${asked.ticket}" />
        <button type="submit" name="decision" value="deny">Deny</button>
        <button type="submit" name="decision" value="allow">Allow</button>
      </form>`,
  ).text,
});

const describeOrigin = (host: string | undefined): string =>
  host === undefined ? '(it calls itself so; nobody has checked it)' : `(of ${host})`;

function describeRedirect(uri: string): string {
  const { protocol, host, hostname } = new URL(uri);
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return `a program on this computer (${host})`;
  return protocol === 'https:' ? host : `the application of ${protocol}// on this computer (${uri})`;
}

/** Tells a user why they do not get on, where the client cannot be told. */
export function shownToUser(message: string): GatewayError {
  const content = html`<p>${message}.</p>
    <p>Close this page and begin again in your program.</p>`;
  const answer = { contentSecurityPolicy, page: page('This does not go on', content).text };
  return new GatewayError('bad_request', { message, page: answer, headers });
}
