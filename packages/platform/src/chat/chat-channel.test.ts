import { describe, expect, test } from '@jest/globals';
import { alertCategories } from '@portcullis/contracts/records';
import { createEncryption } from '../security/encryption.ts';
import { parseChatChannelOrThrow } from './chat-channel.ts';

const encryption = createEncryption('k'.repeat(32));
const sealed = encryption.encrypt('https://chat.example/hook', 'settings.chat_webhook.webhook_url');

describe('parseChatChannelOrThrow', () => {
  test('what was never set has its default', () => {
    expect(parseChatChannelOrThrow({}, encryption)).toEqual({
      enabled: false,
      channel: '',
      minimum_severity: 'Medium',
      categories: alertCategories,
      webhookUrl: undefined,
    });
  });

  test('opens the URL and keeps it from being printed', () => {
    const channel = parseChatChannelOrThrow(
      { enabled: true, webhook_url: sealed, minimum_severity: 'High' },
      encryption,
    );
    expect(channel).toMatchObject({ enabled: true, minimum_severity: 'High' });
    expect(channel.webhookUrl?.reveal()).toBe('https://chat.example/hook');
    expect(JSON.stringify(channel)).not.toContain('chat.example');
  });

  test.each([
    [{ webhook_url: sealed.replace(/.$/, '!') }, 'does not decrypt'],
    [{ webhook_url: encryption.encrypt('https://chat.example', 'settings.other') }, 'does not decrypt'],
    [{ webhook_url: encryption.encrypt('ftp://chat.example', 'settings.chat_webhook.webhook_url') }, 'are not valid'],
    [{ minimum_severity: 'Severe' }, 'are not valid'],
    [{ categories: ['Weather'] }, 'are not valid'],
    [{ surprise: 1 }, 'are not valid'],
  ])('refuses %j', (document, message) => {
    expect(() => parseChatChannelOrThrow(document, encryption)).toThrow(message);
  });
});
