interface Asked {
  readonly method?: string;
  readonly body?: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a browser does with redirects and cookies, and nothing else. */
export class Browser {
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>();

  readonly #headers: Readonly<Record<string, string>>;

  /** @param headers of every request, for example the address from which it speaks */
  constructor(headers: Readonly<Record<string, string>> = {}) {
    this.#headers = headers;
  }

  /** Follows no redirect. */
  async open(url: string | URL, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.#ask(new URL(url), { headers });
  }

  async #ask(address: URL, request: Asked): Promise<Response> {
    const cookie = this.#cookiesFor(address);
    const response = await fetch(address, {
      ...request,
      redirect: 'manual',
      headers: {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        ...this.#headers,
        ...request.headers,
        ...(cookie && { cookie }),
      },
    });
    for (const line of response.headers.getSetCookie()) this.#take(address, line);
    return response;
  }

  /** Sends a form, as the page that has it would. */
  async submit(
    url: string | URL,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return this.#ask(new URL(url), {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams(fields),
    });
  }

  /**
   * Follows redirects until one leads to an address that is wanted, and answers that without opening it.
   * @throws when it comes to an end before
   */
  async followTo(url: string | URL, isWanted: (url: URL) => boolean): Promise<URL> {
    let address = new URL(url);
    for (let steps = 0; steps < 20; steps += 1) {
      const response = await this.open(address);
      const location = response.headers.get('location');
      if (location === null) {
        throw new Error(`${address.href} answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
      }
      address = new URL(location, address);
      if (isWanted(address)) return address;
    }
    throw new Error('The redirects do not end');
  }

  #take({ host }: URL, line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const name = pair.slice(0, pair.indexOf('='));
    const attribute = (wanted: string) =>
      attributes.find((one) => one.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const path = attribute('path') ?? '/';
    const key = `${host} ${path} ${name}`;
    const isOver = attribute('max-age') === '0' || Date.parse(attribute('expires') ?? '') < Date.now();
    if (isOver) this.#cookies.delete(key);
    else this.#cookies.set(key, { value: pair, path });
  }

  #cookiesFor({ host, pathname }: URL): string {
    return [...this.#cookies]
      .filter(([key, { path }]) => key.startsWith(`${host} `) && pathname.startsWith(path))
      .map(([, { value }]) => value)
      .join('; ');
  }
}
