import { describe, expect, test } from '@jest/globals';
import { checkTargetUrl } from './address-guard.ts';

const always = (url: string) => checkTargetUrl(url, { allowPrivate: true })?.rule;
const strictly = (url: string) => checkTargetUrl(url, { allowPrivate: false })?.rule;

describe('checkTargetUrl', () => {
  test.each(['https://api.openai.com/v1', 'http://example.com:8080', 'http://1.1.1.1', 'https://[2606:4700::1111]/'])(
    'accepts %s',
    (url) => {
      expect(strictly(url)).toBeUndefined();
    },
  );

  test.each([
    ['', 'must be an absolute URL'],
    ['example.com', 'must be an absolute URL'],
    ['file:///etc/passwd', 'must start with http:// or https://'],
    ['javascript:alert(1)', 'must start with http:// or https://'],
    ['http://user@example.com', 'must not carry a user name or password'],
    ['http://:pass@example.com', 'must not carry a user name or password'],
    ['http://169.254.169.254/latest/meta-data', 'must not point to a cloud metadata service'],
    ['http://0xa9fea9fe', 'must not point to a cloud metadata service'],
    ['http://2852039166/', 'must not point to a cloud metadata service'],
    ['http://0251.0376.0251.0376', 'must not point to a cloud metadata service'],
    ['http://[::ffff:169.254.169.254]', 'must not point to a cloud metadata service'],
    ['http://[64:ff9b::a9fe:a9fe]', 'must not point to a cloud metadata service'],
    ['http://METADATA.google.internal./', 'must not point to a cloud metadata service'],
    ['http://１６９.254.169.254', 'must not point to a cloud metadata service'],
    ['http://[fe80::1]', 'must not point to a link-local address'],
    ['http://255.255.255.255', 'must not point to a reserved address'],
  ])('refuses %j whatever the setting', (url, rule) => {
    expect([strictly(url), always(url)]).toEqual([rule, rule]);
  });

  test.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://0x7f.1',
    'http://017700000001',
    'http://2130706433',
    'http://0/',
    'http://localhost:3000',
    'http://a.localhost',
    'http://[::1]',
    'http://[::]',
    'http://[::ffff:7f00:1]',
    'http://127.0.0.1.',
    'http://10.0.0.1',
    'http://192.168.1.1',
    'http://[fd12::1]',
    'http://[2002:a00:1::]',
  ])('refuses %s unless private targets are allowed', (url) => {
    expect(strictly(url)).toMatch(/must not point to (a private address|this machine)/);
    expect(always(url)).toBeUndefined();
  });
});
