import { Client, StreamableHTTPClientTransport, type OAuthClientProvider } from '@modelcontextprotocol/client';
import { Browser } from '@portcullis/testkit/browser';

const redirectUrl = 'http://127.0.0.1:33418/callback';

type Stored<Name extends 'clientInformation' | 'tokens'> = Awaited<ReturnType<NonNullable<OAuthClientProvider[Name]>>>;

/** What a program keeps that signs its user in, as the official client asks for it. */
class MemoryAuth implements OAuthClientProvider {
  #client: Stored<'clientInformation'>;
  #tokens: Stored<'tokens'>;
  #verifier = '';
  /** Where the user is sent. */
  sentTo: URL | undefined;

  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = {
    client_name: 'Test agent',
    redirect_uris: [redirectUrl],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };

  state(): string {
    return 'state-of-the-client';
  }
  clientInformation(): Stored<'clientInformation'> {
    return this.#client;
  }
  saveClientInformation(client: NonNullable<Stored<'clientInformation'>>): void {
    this.#client = client;
  }
  tokens(): Stored<'tokens'> {
    return this.#tokens;
  }
  saveTokens(tokens: NonNullable<Stored<'tokens'>>): void {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.sentTo = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
}

export interface SignedInClient {
  readonly client: Client;
  readonly auth: MemoryAuth;
}

/** Connects the official client, unmodified, which finds out how its user signs in, and lets them. */
export async function connectWithOAuth(url: string, browser: Browser = new Browser()): Promise<SignedInClient> {
  const auth = new MemoryAuth();
  const open = () => new StreamableHTTPClientTransport(new URL(url), { authProvider: auth });
  const newClient = () => new Client({ name: 'test-agent', version: '1.0.0' });
  const first = open();
  const refused = await newClient()
    .connect(first)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  if (auth.sentTo === undefined) throw new Error(`The client did not send its user anywhere: ${String(refused)}`);
  const back = await browser.followTo(auth.sentTo, ({ href }) => href.startsWith(redirectUrl));
  await first.finishAuth(back.searchParams);
  const client = newClient();
  await client.connect(open());
  return { client, auth };
}
