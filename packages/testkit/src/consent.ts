import type { Browser } from './browser.ts';

/** What the page of the OAuth proxy asks, as a person who reads it has it. */
export interface ConsentPage {
  /** The whole page. */
  readonly html: string;
  readonly action: URL;
  readonly ticket: string;
}

/** Opens the address to which a client sends its user. @throws where it shows no question */
export async function openConsent(browser: Browser, authorizationUrl: string | URL): Promise<ConsentPage> {
  const response = await browser.open(authorizationUrl);
  const html = await response.text();
  const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1];
  const ticket = /name="ticket" value="([^"]+)"/.exec(html)?.[1];
  if (action === undefined || ticket === undefined) {
    throw new Error(`${response.status} ${response.headers.get('location')}: ${html.slice(0, 1_000)}`);
  }
  return { html, action: new URL(action, authorizationUrl), ticket };
}

/**
 * Does what a user does whom a client sends to the OAuth proxy: presses a button, signs in at the provider, and comes back.
 * @param isWanted whether an address is the client's own, which is answered without opening it
 */
export async function decideConsent(
  browser: Browser,
  authorizationUrl: string | URL,
  isWanted: (url: URL) => boolean,
  decision: 'allow' | 'deny' = 'allow',
): Promise<URL> {
  const { action, ticket } = await openConsent(browser, authorizationUrl);
  const sent = await browser.submit(action, { ticket, decision });
  const location = sent.headers.get('location');
  if (location === null) throw new Error(`The decision was answered ${sent.status}: ${await sent.text()}`);
  const next = new URL(location);
  return isWanted(next) ? next : browser.followTo(next, isWanted);
}
