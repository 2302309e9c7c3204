import { csrfHeader } from '@portcullis/contracts/browser-session';
import { openBrowserSession } from '@portcullis/contracts/routes/browser-sessions';
import type { Route } from '@portcullis/contracts/route';
import { mountedPath } from '@portcullis/platform/routes/mount-routes';

interface Sent {
  readonly body?: unknown;
  readonly params?: object;
  /** In place of that of the jar. */
  readonly cookie?: string;
  /** In place of the CSRF token. */
  readonly headers?: object;
}

interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly setCookie: string | undefined;
}

/** A browser with one cookie, whose pages are ours. */
export interface TestBrowser {
  cookie: string;
  csrfToken: string;
  readonly lastSetCookie: string | undefined;
  signIn(username: string, password: string, headers?: object): Promise<number>;
  send(route: Route, sent?: Sent): Promise<Answered>;
}

/** @param always headers of all requests */
export function createTestBrowser(origin: string, always: object = {}): TestBrowser {
  let lastSetCookie: string | undefined;
  const browser: TestBrowser = {
    cookie: '',
    csrfToken: '',
    get lastSetCookie() {
      return lastSetCookie;
    },
    async signIn(username, password, headers = { [csrfHeader]: 'sign in' }) {
      const { status, body } = await browser.send(openBrowserSession, { body: { username, password }, headers });
      browser.csrfToken = (body as { data?: { csrf_token: string } }).data?.csrf_token ?? '';
      return status;
    },
    async send(
      route,
      { body, params = {}, cookie = browser.cookie, headers = { [csrfHeader]: browser.csrfToken } } = {},
    ) {
      const path = mountedPath(route).replaceAll(/:(\w+)/g, (_, name: string) =>
        String(new Map(Object.entries(params)).get(name)),
      );
      const response = await fetch(`${origin}${path}`, {
        method: route.method,
        headers: {
          ...(cookie !== '' && { cookie }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...always,
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const [setCookie] = response.headers.getSetCookie();
      if (setCookie !== undefined) {
        lastSetCookie = setCookie;
        browser.cookie = setCookie.split(';')[0] ?? '';
      }
      return { status: response.status, body: JSON.parse(await response.text()) as unknown, setCookie };
    },
  };
  return browser;
}
