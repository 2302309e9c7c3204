import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { Browser } from '@portcullis/testkit/browser';
import { decideConsent } from '@portcullis/testkit/consent';
import { findFreePort } from '@portcullis/testkit/free-port';
import { createEditorStorage, redirectUrl } from './editor-storage.ts';
import { connectByMcpRemote } from './connect-by-mcp-remote.ts';
import { OAuthByHand } from './oauth-client.ts';
import { startOAuthGateway, type OAuthGateway } from './start-oauth-gateway.ts';
import { runAuthorizationSuite } from './run-conformance-suite.ts';
import { waysFor } from './start-gateway.ts';

describe.each(waysFor('services'))('the OAuth proxy in gateway mode, %s', (way) => {
  let world: OAuthGateway;
  beforeAll(async () => {
    world = await startOAuthGateway(way);
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });
  beforeEach(() => world.target.forget());

  const isBack = (url: URL): boolean => url.href.startsWith(redirectUrl);
  const lastAuthorization = () => world.target.requests.at(-1)?.headers.authorization;

  /** Connects, is refused, has the user sign in, and connects again. */
  async function connect(storage: ReturnType<typeof createEditorStorage>): Promise<Client> {
    const transport = () => new StreamableHTTPClientTransport(new URL(world.url), { authProvider: storage });
    const first = transport();
    await expect(new Client({ name: 'editor', version: '1.0.0' }).connect(first)).rejects.toThrow(UnauthorizedError);
    const back = await decideConsent(new Browser(), storage.kept.authorizationUrl ?? '', isBack);
    expect(back.searchParams.get('state')).toBe('state of the editor');
    await first.finishAuth(back.searchParams);
    const client = new Client({ name: 'editor', version: '1.0.0' });
    await client.connect(transport());
    return client;
  }

  test('the official client finds, registers, signs in, calls a tool, and refreshes', async () => {
    const storage = createEditorStorage();
    const client = await connect(storage);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    await client.callTool({ name: tools[0]?.name ?? '', arguments: {} });
    const tokens = storage.kept.tokens as { access_token: string; refresh_token: string; expires_in: number };
    expect(JSON.stringify(world.target.requests)).not.toContain(tokens.access_token);
    const before = lastAuthorization();
    expect(before).toMatch(/^Bearer ey/);

    // The token is gone: the client gets the next one by itself.
    storage.kept.tokens = { ...tokens, access_token: 'nothing' };
    await client.listTools();
    const renewed = storage.kept.tokens as typeof tokens;
    expect(renewed.access_token).not.toBe(tokens.access_token);
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    expect(lastAuthorization()).not.toBe(before);
    await client.close();
  });

  test('mcp-remote does so as well, as an editor starts it', async () => {
    await using client = await connectByMcpRemote(world.url);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    expect(lastAuthorization()).toMatch(/^Bearer ey/);
  });

  test('the authorization mode of the conformance suite passes', async () => {
    const port = await findFreePort();
    const callback = `http://127.0.0.1:${port}/callback`;
    const { client_id: clientId } = await new OAuthByHand(world.gateway.url, world.proxy.id, '203.0.113.9').register({
      redirect_uris: [callback],
    });
    const { verdicts, output } = await runAuthorizationSuite({
      issuer: world.proxy.url,
      clientId,
      resource: world.url,
      port,
      async visit(address) {
        const browser = new Browser();
        await browser.open(await decideConsent(browser, address, ({ href }) => href.startsWith(callback)));
      },
    });
    const statuses = new Set(Object.values(verdicts).flatMap((status) => status.split(' ')));
    expect([statuses.has('FAILURE'), statuses.has('SUCCESS'), output]).toEqual([false, true, output]);
    expect(Object.keys(verdicts).map((name) => name.split(' ')[0])).toEqual(
      expect.arrayContaining([
        'authorization-server-authorization-server-metadata-endpoint',
        'authorization-server-authorization-code-grant',
      ]),
    );
  });

  test('keys go on working on the same port', async () => {
    const options = { requestInit: { headers: { 'x-api-key': world.proxy.key } } };
    const client = new Client({ name: 'editor', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(world.url), options));
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    expect(lastAuthorization()).toBeUndefined();
    await client.close();
  });

  test('nothing is lost when processes are killed, and what an admin ends is over at once', async () => {
    const storage = createEditorStorage();
    const client = await connect(storage);
    await client.close();
    await world.gateway.processOf('management-api').stop('SIGKILL');
    await world.gateway.startAgain('management-api');
    const again = new Client({ name: 'editor', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(world.url), { authProvider: storage });
    await again.connect(transport);
    expect((await again.listTools()).tools.length).toBeGreaterThan(0);

    const { admin } = world.gateway;
    const path = `/oauth-proxy/${world.proxy.id}`;
    const { grants } = await admin.expect<{ grants: readonly { id: number; username: string }[] }>(
      'GET',
      `${path}/grants`,
    );
    expect(grants[0]).toMatchObject({ username: 'ada@example.com', client_name: 'An editor' });
    await admin.expect('DELETE', `${path}/grants/${grants[0]?.id}`);
    storage.kept.authorizationUrl = undefined as never;
    await expect(again.listTools()).rejects.toThrow('Unauthorized');
    // Its refresh token is nothing either, so the user is asked again.
    expect(storage.kept.authorizationUrl).toBeInstanceOf(URL);
    await again.close();
  });
});
