import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { startChatWebhookPeer } from '@portcullis/testkit/chat-webhook-peer';
import { startGuardrailPeer } from '@portcullis/testkit/guardrails/guardrail-peer';
import { startLlmPeer } from '@portcullis/testkit/llm-peer';
import { answer, startLoopbackPeer, type Peer } from '@portcullis/testkit/loopback-peer';
import { startNameServer, type NameServer } from '@portcullis/testkit/name-server';
import { startServerInitiatedMcpPeer, wires } from '@portcullis/testkit/server-initiated-mcp-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { WebSocket } from 'ws';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { startGateway, waysFor } from './start-gateway.ts';

// A name that leads to an allowed address while it is looked at, and to another one when the connection is made.

const [allowed, forbidden] = ['127.0.0.1', '127.0.0.3'];

/** What stands behind the forbidden address, at the port of a peer. */
async function watchInside(port: number) {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(port, forbidden);
  await once(server, 'listening');
  return {
    count: () => connections,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

const chat = (proxy: ReadyProxy) =>
  fetch(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', 'x-api-key': proxy.key },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] }),
  });

describe.each(waysFor('one process'))('names whose addresses change, %s', (way) => {
  const opened = new AsyncDisposableStack();
  let names: NameServer;
  let provider: Peer;
  let gateway: TestGateway;

  beforeAll(async () => {
    names = opened.use(await startNameServer());
    provider = opened.use(await startLoopbackPeer(describeProvider));
    gateway = opened.use(
      await startGateway(way, {
        ...names.environment,
        ALLOW_PRIVATE_TARGETS: 'false',
        ALLOWED_PRIVATE_TARGETS: `${allowed}/32`,
        OAUTH_REDIRECT_BASE_URL: 'https://gateway.example',
        OAUTH_OIDC_CLIENT_ID: 'gateway',
        OAUTH_OIDC_CLIENT_SECRET: 'secret',
        OAUTH_OIDC_ISSUER: `http://sign-in.test:${provider.port}`,
      }),
    );
  });
  afterAll(() => opened.disposeAsync());

  const describeProvider: Parameters<typeof startLoopbackPeer>[0] = (_request, response) => {
    const at = (name: string) => `http://${name}.test:${provider.port}`;
    answer(response, 200, {
      issuer: at('sign-in'),
      authorization_endpoint: `${at('sign-in')}/authorize`,
      token_endpoint: `${at('token')}/token`,
      userinfo_endpoint: `${at('sign-in')}/userinfo`,
      jwks_uri: `${at('sign-in')}/keys`,
    });
  };

  interface WayOut {
    readonly peer: Peer;
    /** Configures a URL of the host; throws where that is refused. */
    readonly configure: (origin: string) => Promise<unknown>;
    /** Has the gateway connect, and tells whether it came to an answer of the peer. */
    readonly connect: (made: never) => Promise<boolean>;
  }

  /** Names change after each number of questions: between any two of the gateway's looks, and its connection. */
  async function expectGuarded(label: string, { peer, configure, connect }: WayOut): Promise<void> {
    await using inside = await watchInside(peer.port);
    const outcomes: string[] = [];
    const lists = [0, 1, 2, 3, 4, 99].map((count) => [...Array.from({ length: count }, () => [allowed]), [forbidden]]);
    for (const [index, answers] of [...lists, [[allowed, forbidden]]].entries()) {
      const name = `n${index}.${label}.test`;
      names.answer(name, ...answers);
      const made = await configure(`http://${name}:${peer.port}`).catch(() => undefined);
      outcomes.push(made === undefined ? 'not taken' : (await connect(made as never)) ? 'reached' : 'refused');
    }
    expect([label, inside.count()]).toEqual([label, 0]);
    expect(outcomes.at(-1)).toBe('not taken');
    expect(outcomes).toContain('refused');
    expect(outcomes.at(-2)).toBe('reached');
  }

  const setUp = (type: 'llm' | 'mcp', transport: (typeof wires)[number], path: string) => (origin: string) =>
    setUpProxy(gateway.admin, `${origin}${path}`, { type, transport, settings: { tool_filtering: 'off' } });

  test('lead no request to where a target may not be', async () => {
    await using peer = await startLlmPeer();
    await expectGuarded('target', {
      peer,
      configure: setUp('llm', 'http', ''),
      connect: async (proxy: ReadyProxy) => (await chat(proxy)).status === 200,
    });
  });

  test.each(wires)('lead no discovery of tools there, transport %s', async (wire) => {
    await using peer = await startServerInitiatedMcpPeer();
    await expectGuarded(`tools-${wire}`, {
      peer,
      configure: setUp('mcp', wire, new URL(peer.endpoints[wire]).pathname),
      connect: async ({ id }: ReadyProxy) =>
        (await gateway.admin.call('POST', `/proxies/${id}/tools/discover`)).success,
    });
  });

  test('lead no WebSocket there', async () => {
    await using peer = await startServerInitiatedMcpPeer();
    await expectGuarded('sockets', {
      peer,
      configure: setUp('mcp', 'websocket', new URL(peer.endpoints.websocket).pathname),
      async connect({ url, key }: ReadyProxy) {
        const socket = new WebSocket(url.replace('http', 'ws'), { headers: { 'x-api-key': key } });
        const isOpen = await once(socket, 'open').then(
          () => true,
          () => false,
        );
        socket.terminate();
        return isOpen;
      },
    });
  });

  test('lead no question to a guardrail provider there', async () => {
    await using peer = await startGuardrailPeer('http');
    const providers = '/security/guardrails/providers';
    let made = 0;
    await expectGuarded('guardrail', {
      peer,
      configure: (origin) =>
        gateway.admin.expect('POST', providers, {
          ...peer.provider,
          name: `changing ${(made += 1)}`,
          config: { ...peer.provider.config, url: `${origin}/check` },
        }),
      connect: async ({ id }: { id: number }) => {
        const tried = await gateway.admin.expect<{ verdict: string }>('POST', `${providers}/${id}/test`, {
          text: 'hi',
        });
        return tried.verdict === 'safe';
      },
    });
  });

  test('lead no alert there', async () => {
    await using peer = await startChatWebhookPeer();
    await expectGuarded('chat', {
      peer,
      configure: (origin) =>
        gateway.admin.expect('PUT', '/system/settings', {
          chat_webhook: { webhook_url: `${origin}${new URL(peer.webhookUrl).pathname}` },
        }),
      connect: async () => (await gateway.admin.call('POST', '/system/integrations/chat/test'), peer.posts.length > 0),
    });
  });

  test('lead no sign-in there, nor what the provider names as its own places', async () => {
    await using inside = await watchInside(provider.port);
    const begin = () => fetch(`${gateway.url}/api/v1/auth/oauth/login/oidc`, { redirect: 'manual' });
    names.answer('sign-in.test', [forbidden]);
    expect((await begin()).status).toBeGreaterThan(399);
    expect(provider.requests).toEqual([]);

    names.answer('sign-in.test', [allowed]);
    const finish = async () => {
      const begun = await begin();
      const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
      const query = new URLSearchParams({ code: 'a code', state });
      const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
      const { status } = await fetch(`${gateway.url}/api/v1/auth/oauth/callback/oidc?${query.toString()}`, {
        headers: { cookie },
      });
      return status;
    };
    names.answer('token.test', [forbidden], [allowed]);
    expect(await finish()).toBeGreaterThan(399);
    expect(provider.requests.map(({ path }) => path)).not.toContain('/token');
    expect(await finish()).toBeGreaterThan(399);
    expect(provider.requests.map(({ path }) => path)).toContain('/token');
    expect(inside.count()).toBe(0);
  });

  test('are looked at with each connection of a pool, which goes to what was looked at', async () => {
    await using peer = await startLoopbackPeer((_request, response) =>
      answer(response, 200, { choices: [] }, { connection: 'close' }),
    );
    await using inside = await watchInside(peer.port);
    names.answer('pool.test', [allowed]);
    const proxy = await setUpProxy(gateway.admin, `http://pool.test:${peer.port}`);
    expect((await chat(proxy)).status).toBe(200);
    names.answer('pool.test', [forbidden]);
    const before = peer.requests.length;
    // An answer is taken as it is for some seconds, and then asked for anew.
    await waitFor(async () => (await chat(proxy)).status >= 500, { what: 'the new address', timeoutMs: 30_000 });
    expect(peer.requests.length).toBeGreaterThanOrEqual(before);
    expect(inside.count()).toBe(0);
  });

  test('are not followed by a redirect', async () => {
    let inside = '';
    await using peer = await startLoopbackPeer((_request, response) => answer(response, 307, '', { location: inside }));
    await using watched = await watchInside(peer.port);
    names.answer('moved.test', [allowed]);
    names.answer('inside.test', [forbidden]);
    inside = `http://inside.test:${peer.port}/`;
    const origin = `http://moved.test:${peer.port}`;
    const { admin } = gateway;
    const { status, headers } = await chat(await setUpProxy(admin, origin));
    expect([status, headers.get('location')]).toEqual([502, null]);
    for (const transport of wires) {
      const { id } = await setUpProxy(admin, origin, { type: 'mcp', transport });
      expect((await admin.call('POST', `/proxies/${id}/tools/discover`)).success).toBe(false);
    }
    const providers = '/security/guardrails/providers';
    const made = await admin.expect<{ id: number }>('POST', providers, {
      name: 'moved',
      provider_type: 'http',
      config: { url: `${origin}/check` },
    });
    expect(await admin.expect('POST', `${providers}/${made.id}/test`, { text: 'hi' })).toMatchObject({
      verdict: 'error',
    });
    await admin.expect('PUT', '/system/settings', { chat_webhook: { webhook_url: `${origin}/hook` } });
    await admin.call('POST', '/system/integrations/chat/test');
    expect(peer.requests.length).toBeGreaterThan(5);
    expect([names.countOf('inside.test'), watched.count()]).toEqual([0, 0]);
  });
});
