import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { alertCategories } from '@portcullis/contracts/records';
import { getSettings, testChatWebhook, updateSettings } from '@portcullis/contracts/routes/settings';
import { loadChatChannel } from '@portcullis/platform/chat/chat-channel';
import { startChatWebhookPeer } from '@portcullis/testkit/chat-webhook-peer';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('settings (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());
  const change = (chat: object) => management.admin.data(updateSettings, { body: { chat_webhook: chat } });
  const stored = () => loadChatChannel(management.infrastructure.database, management.infrastructure.encryption);

  test('have defaults before anybody sets them', async () => {
    expect(await management.admin.data(getSettings)).toEqual({
      chat_webhook: {
        enabled: false,
        webhook_url: '',
        channel: '',
        minimum_severity: 'Medium',
        categories: [...alertCategories],
      },
    });
    expect(await management.admin.refusal(testChatWebhook)).toMatchObject({
      status: 409,
      message: 'No chat webhook URL is set',
    });
  });

  test('show secrets as a mask, store them sealed, and keep them when the mask comes back', async () => {
    const url = 'https://chat.example/services/very-secret';
    const saved = await change({ enabled: true, webhook_url: url, channel: '#alerts' });
    expect(saved.chat_webhook).toMatchObject({ enabled: true, webhook_url: '********', channel: '#alerts' });
    expect(await management.admin.data(getSettings)).toEqual(saved);
    const rows = await management.infrastructure.database.kysely.selectFrom('settings').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('very-secret');

    await change({ ...saved.chat_webhook, minimum_severity: 'High' });
    const channel = await stored();
    expect(channel).toMatchObject({ enabled: true, channel: '#alerts', minimum_severity: 'High' });
    expect(channel.webhookUrl?.reveal()).toBe(url);

    expect((await change({ webhook_url: '' })).chat_webhook.webhook_url).toBe('');
    expect((await stored()).webhookUrl).toBeUndefined();
  });

  test('are refused when they are not valid', async () => {
    const refuse = (body: object) => management.admin.refusal(updateSettings, { body });
    expect(await refuse({ chat_webhook: { colour: 'red' } })).toMatchObject({
      status: 400,
      problems: [{ path: '/body/chat_webhook/colour', rule: 'is not a known field' }],
    });
    for (const chat of [
      { webhook_url: 'ftp://chat.example' },
      { webhook_url: 'http://169.254.169.254/latest' },
      { webhook_url: '***' },
      { minimum_severity: 'Severe' },
      { categories: ['Weather'] },
      { enabled: 'yes' },
    ]) {
      expect(await refuse({ chat_webhook: chat })).toMatchObject({ status: 400 });
    }
    expect(await refuse({ slack: {} })).toMatchObject({ status: 400 });
  });

  test('of the chat are tried out with a test message', async () => {
    await using peer = await startChatWebhookPeer();
    await change({ enabled: false, webhook_url: peer.webhookUrl });
    expect(await management.admin.data(testChatWebhook)).toEqual({
      success: true,
      status_code: 200,
      message: 'Test message sent',
    });
    expect(peer.posts).toHaveLength(1);
    peer.failNext(1, { status: 403, body: 'invalid_token' });
    expect(await management.admin.data(testChatWebhook)).toEqual({
      success: false,
      status_code: 403,
      message: expect.stringContaining('403'),
    });
  });

  test('are an admin’s to change', async () => {
    const viewer = management.nobody.as(await management.signIn('viewer'));
    expect(await viewer.status(getSettings)).toBe(200);
    expect(await viewer.status(updateSettings, { body: {} })).toBe(403);
    expect(await viewer.status(testChatWebhook)).toBe(403);
  });
});
