import { createHash } from 'node:crypto';
import type { PageAnswer } from '@portcullis/platform/http/send-page';
import type { GatewayError } from '@portcullis/platform/http/gateway-error';
import { html, Markup } from '../reference/html.ts';

const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}' +
  'textarea{width:100%;font:.875rem/1.4 ui-monospace,monospace}dt{font-weight:600}';

/** Runs nothing and loads nothing: the page holds a token. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface SignedIn {
  readonly token: string;
  readonly expires_at: string;
  readonly user: { readonly username: string; readonly email: string; readonly role: string };
  readonly return_to: string | null;
}

/** What a person sees who came back from the provider. */
export const renderSignInPage = ({ token, expires_at: expires, user, return_to: path }: SignedIn): PageAnswer =>
  renderPage(
    'You are signed in',
    html`<dl>
        <dt>User</dt>
        <dd>${user.username} (${user.email})</dd>
        <dt>Role</dt>
        <dd>${user.role}</dd>
        <dt>Until</dt>
        <dd><time datetime="${expires}">${expires}</time></dd>
      </dl>
      <p>
        <label for="token"
          >Session token. Send it as <code>Authorization: Bearer</code> to the management API, or as
          <code>X-Session-Token</code> to a proxy. It is shown this once, and is as good as your password.</label
        >
      </p>
      <textarea id="token" rows="6" readonly autocomplete="off" spellcheck="false">${token}</textarea>
      ${path === null ? undefined : html`<p><a href="${path}">Go on</a></p>`}`,
  );

/** What a person sees whom the gateway does not let in. */
export const renderRefusalPage = ({ entry, details }: GatewayError): PageAnswer =>
  renderPage(
    'You are not signed in',
    html`<p>${entry.text}.</p>
      ${details.message === undefined ? undefined : html`<p>${details.message}</p>`}
      <p>Begin again where you came from. If it does not help, ask who looks after this gateway.</p>`,
  );

const renderPage = (title: string, content: Markup): PageAnswer => ({
  contentSecurityPolicy,
  page: html`<!doctype html>
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
    </html> `.text,
});
