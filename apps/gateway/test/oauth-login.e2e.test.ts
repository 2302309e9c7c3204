import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Browser } from '@portcullis/testkit/browser';
import type { IdentityProviderPeer } from '@portcullis/testkit/identity-providers/identity-provider-peer';
import { startOpenIdPeer } from '@portcullis/testkit/identity-providers/open-id-peer';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { startGateway, waysFor } from './start-gateway.ts';

describe.each(waysFor('one process'))('login with an identity provider, %s', (way) => {
  let gateway: TestGateway;
  let model: LlmPeer;
  let provider: IdentityProviderPeer;
  let proxy: ReadyProxy;
  let callback: string;

  beforeAll(async () => {
    model = await startLlmPeer();
    gateway = await startGateway(way);
    proxy = await setUpProxy(gateway.admin, model.url);
    callback = `${gateway.url}/api/v1/oauth/callback`;
    provider = await startOpenIdPeer({ redirectUris: [callback] }, 'keycloak');
  });

  afterAll(async () => {
    await provider?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await model?.[Symbol.asyncDispose]();
  });

  const ask = (token: string): Promise<Response> =>
    fetch(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-session-token': token },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }),
    });

  test('from a provider over a rule to a prompt, until the session is revoked', async () => {
    const { admin } = gateway;
    const { id } = await admin.expect<{ id: number }>('POST', '/oauth/providers', {
      name: 'Staff',
      provider_type: 'keycloak',
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      issuer: provider.issuer,
      redirect_uri: callback,
    });
    expect(await admin.expect('POST', `/oauth/providers/${id}/test`)).toMatchObject({ success: true });
    await admin.expect('POST', '/oauth/rules', {
      rule_type: 'email_domain',
      rule_value: 'example.com',
      provider_id: id,
      user_group_id: proxy.groupId,
    });
    const content = 'You help {{.User}} <{{.UserEmail}}> of {{.Organization}}.';
    const prompt = await admin.expect<{ id: number }>('POST', '/system-prompts', { name: 'who', content });
    await admin.expect('POST', `/system-prompts/${prompt.id}/assign/proxy/${proxy.id}`);

    const begun = await admin.expect<{ auth_url: string }>('POST', `/oauth/authorize/${id}`);
    const browser = new Browser();
    const back = await browser.followTo(begun.auth_url, (url) => url.href.startsWith(`${callback}?`));
    const shown = await browser.open(back);
    const page = await shown.text();
    expect([shown.status, page]).toEqual([200, expect.stringContaining('ada@example.com')]);
    const token = /<textarea[^>]*>([^<]+)</.exec(page)?.[1] ?? '';
    // What the browser brought back is nothing a second time.
    expect((await browser.open(back)).status).toBe(400);

    const answered = await waitFor(
      async () => {
        const response = await ask(token);
        await response.text();
        return response.status === 200 && model.requests.at(-1)?.body.includes('You help') ? response : undefined;
      },
      { what: 'the session and the prompt on the proxy' },
    );
    expect(answered.status).toBe(200);
    expect(model.requests.at(-1)?.body).toContain('You help ada@example.com <ada@example.com> of example.com.');
    expect(JSON.stringify(model.requests)).not.toContain(token);

    const headers = { authorization: `Bearer ${token}` };
    const me = await fetch(`${gateway.url}/api/v1/auth/me`, { headers });
    expect(await me.json()).toMatchObject({ data: { role: 'user', username: 'ada@example.com' } });
    expect((await fetch(`${gateway.url}/api/v1/proxies/`, { headers })).status).toBe(403);

    const { sessions } = await admin.expect<{ sessions: readonly { id: string }[] }>(
      'GET',
      `/oauth/providers/${id}/sessions`,
    );
    await admin.expect('DELETE', `/oauth/sessions/${sessions[0]?.id}`);
    await waitFor(async () => (await ask(token)).status === 401, { what: 'the proxy to refuse the session' });
    expect((await fetch(`${gateway.url}/api/v1/auth/me`, { headers })).status).toBe(401);
  });
});
