import { describe, expect, test } from '@jest/globals';
import { alertCategories } from '@portcullis/contracts/records';
import { createEncryption } from '../security/encryption.ts';
import { openSectionOrThrow } from './open-section.ts';

const encryption = createEncryption('k'.repeat(32));
const sealed = encryption.encrypt('https://chat.example/hook', 'settings.chat_webhook.webhook_url');
const open = (document: unknown) => openSectionOrThrow(document, encryption, 'chat_webhook');

describe('openSectionOrThrow', () => {
  test('what was never set has its default', () => {
    const { settings, secret } = open({});
    expect(settings).toMatchObject({ enabled: false, minimum_severity: 'Medium', categories: alertCategories });
    expect(secret('webhook_url')).toBeUndefined();
  });

  test('opens a secret and keeps it from being printed', () => {
    const section = open({ enabled: true, webhook_url: sealed, minimum_severity: 'High' });
    expect(section.settings).toMatchObject({ enabled: true, webhook_url: '', minimum_severity: 'High' });
    expect(section.secret('webhook_url')?.reveal()).toBe('https://chat.example/hook');
    expect(JSON.stringify([section, section.secret('webhook_url')])).not.toContain('chat.example');
  });

  test.each([
    [{ webhook_url: sealed.replace(/.$/, '!') }, 'does not decrypt'],
    [{ webhook_url: encryption.encrypt('https://chat.example', 'settings.other') }, 'does not decrypt'],
    [{ webhook_url: encryption.encrypt('ftp://chat.example', 'settings.chat_webhook.webhook_url') }, 'are not valid'],
    [{ minimum_severity: 'Severe' }, 'are not valid'],
    [{ categories: ['Weather'] }, 'are not valid'],
    [{ surprise: 1 }, 'are not valid'],
  ])('refuses %j', (document, message) => {
    expect(() => open(document)).toThrow(message);
  });
});
