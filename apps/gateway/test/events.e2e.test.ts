import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startChatWebhookPeer, type ChatWebhookPeer } from '@portcullis/testkit/chat-webhook-peer';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import { startSyslogPeer, type SyslogPeer } from '@portcullis/testkit/syslog-peer';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { startElasticPeer, type VendorPeer } from '@portcullis/testkit/vendor-peers';
import { waitFor } from '@portcullis/testkit/wait-for';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';
import { startGateway, waysFor } from './start-gateway.ts';

interface EcsEvent {
  readonly event: { readonly action: string; readonly outcome: string };
}

describe.each(waysFor('services'))('events for integrations, %s', (way) => {
  let gateway: TestGateway;
  let target: LlmPeer;
  let siem: VendorPeer;
  let logs: SyslogPeer;
  let chat: ChatWebhookPeer;
  let proxy: ReadyProxy;

  beforeAll(async () => {
    target = await startLlmPeer();
    siem = await startElasticPeer('elastic-key');
    logs = await startSyslogPeer();
    chat = await startChatWebhookPeer();
    gateway = await startGateway(way, { ALERT_DELIVERY_ATTEMPTS: '2', ALERT_DELIVERY_BACKOFF: '1s' });
    proxy = await setUpProxy(gateway.admin, target.url, { policies: [] });
    await gateway.admin.expect('PUT', '/system/settings', {
      siem: { enabled: true, format: 'elastic', endpoint: siem.url, api_key: 'elastic-key' },
      syslog: { enabled: true, host: '127.0.0.1', port: logs.port, transport: 'tcp', events: ['authentication'] },
      chat_webhook: { enabled: true, webhook_url: chat.webhookUrl },
    });
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    for (const peer of [target, siem, logs, chat]) await peer?.[Symbol.asyncDispose]();
  });

  const failLogin = () =>
    gateway.admin.call('POST', '/auth/login', { username: 'admin', password: 'not the password' });
  const inSiem = (action: string) =>
    waitFor(() => (siem.taken as readonly EcsEvent[]).find(({ event }) => event.action === action), {
      what: `${action} in the SIEM`,
    });
  const inChat = (title: string) =>
    waitFor(() => chat.posts.find((post) => JSON.stringify(post).includes(title)), { what: `${title} in the chat` });

  test('a change of the configuration is told with who made it', async () => {
    expect(await inSiem('settings.updated')).toMatchObject({
      user: { name: 'admin' },
      event: { kind: 'event', category: ['configuration'], outcome: 'success' },
    });
  });

  test('a login that failed is told to the SIEM and to the syslog server', async () => {
    await failLogin();
    expect(await inSiem('auth.login.failed')).toMatchObject({
      event: { category: ['authentication'], type: ['start'], outcome: 'failure' },
      source: { ip: '127.0.0.1' },
    });
    const message = await waitFor(() => logs.messages.find(({ messageId }) => messageId === 'auth.login.failed'), {
      what: 'the message',
    });
    expect(message).toMatchObject({
      severity: 4,
      data: { 'portcullis@32473': { result: 'failure', src: '127.0.0.1' } },
    });
    expect(logs.refusals).toEqual([]);
  });

  test('a proxy that stops and starts is told to the SIEM and to the chat', async () => {
    for (const [command, done] of [
      ['stop', 'stopped'],
      ['start', 'started'],
    ]) {
      const before = siem.taken.length;
      await gateway.admin.expect('POST', `/proxies/${proxy.id}/${command}`);
      await inChat(`has ${done}`);
      const told = await waitFor(
        () =>
          (siem.taken.slice(before) as readonly EcsEvent[]).find(
            (one) =>
              one.event.action === `proxy.${done}` &&
              'dataset' in one.event &&
              one.event.dataset === 'portcullis.proxy_status',
          ),
        { what: `proxy.${done}` },
      );
      expect(told).toMatchObject({ portcullis: { resource: { type: 'proxy', id: String(proxy.id) } } });
    }
  });

  test('an integration that fails is told to the others, and that it works again', async () => {
    await logs.down();
    for (let turn = 0; turn < 2; turn += 1) await failLogin();
    expect(await inSiem('integration.failing')).toMatchObject({
      event: { outcome: 'failure', reason: expect.stringContaining('ECONNREFUSED') },
      portcullis: { resource: { id: 'syslog' } },
    });
    await inChat('syslog does not get through');
    await logs.up();
    await failLogin();
    await inChat('syslog gets through again');
  });
});
