import { describe, expect, test } from '@jest/globals';
import { parseAllowedTargetsOrThrow } from '@portcullis/core/network/allowed-targets';
import { addressRefusal, checkTargetUrl } from './address-guard.ts';

const always = (url: string) => checkTargetUrl(url, { allowPrivate: true })?.rule;
const strictly = (url: string) => checkTargetUrl(url, { allowPrivate: false })?.rule;

describe('what is named beside the setting', () => {
  const allowed = parseAllowedTargetsOrThrow([
    'mcp.internal',
    '10.20.0.0/16',
    '169.254.169.254',
    'fd00:ec2::/32',
    '240.0.0.1',
  ]);
  const rule = { allowPrivate: false, allowed };

  test.each([
    ['mcp.internal', '172.18.0.5', true],
    ['MCP.internal.', '127.0.0.1', true],
    ['other.internal', '172.18.0.5', false],
    ['other.internal', '10.20.3.4', true],
    ['10.20.3.4', '10.20.3.4', true],
    ['10.21.0.1', '10.21.0.1', false],
    ['other.internal', '::ffff:10.20.3.4', true],
    ['other.internal', '64:ff9b::a14:304', true],
    // A metadata service is not named by a host name or a network.
    ['other.internal', '169.254.169.254', true],
    ['mcp.internal', '100.100.100.200', false],
    ['mcp.internal', 'fd00:ec2::254', false],
    ['mcp.internal', '169.254.1.1', false],
    ['mcp.internal', '224.0.0.1', false],
    ['240.0.0.1', '240.0.0.1', false],
  ])('%s at %s may be reached: %s', (host, address, may) => {
    expect(addressRefusal(host, address, rule) === undefined).toBe(may);
  });

  test.each(['10.0.0.0/33', '10.0.0/8', 'a b', '-x', '1.2.3.4.5', 'x/8', 'http://x'])('%j is not taken', (text) => {
    expect(() => parseAllowedTargetsOrThrow([text])).toThrow('must be host names, addresses and networks');
  });
});

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
  ])('refuses %j for any setting', (url, rule) => {
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
