import { describe, expect, test } from '@jest/globals';
import { parseAllowedTargetsOrThrow } from '@portcullis/core/network/allowed-targets';
import { urlRefusal } from './url-refusal.ts';

const guarded = { allowPrivate: false };

describe('a URL that leads where the gateway does not go is refused', () => {
  test.each([
    'http://127.0.0.1/admin',
    'http://localhost:8080/',
    'http://api.localhost/',
    'http://10.0.0.8/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[fd00:ec2::254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://0251.0376.0251.0376/',
    'http://%31%32%37.0.0.1/',
    'http://１２７.0.0.1/',
    'http:169.254.169.254/',
    'http://user:word@files.example/',
    'http://files.example\\@169.254.169.254/',
    ' http://127.0.0.1/',
    'http://files.example/a\nb',
    '//169.254.169.254/',
    '../secret',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_FLUSHALL',
    'javascript:alert(1)',
  ])('%s', (url) => {
    expect(urlRefusal(url, guarded)).toMatch(/^must /);
  });
});

test.each([
  'https://files.example/trip.pdf?signature=a%20b',
  'http://8.8.8.8/',
  's3://bucket/key',
  'gs://bucket/key',
  'data:text/plain,hello',
])('%s passes', (url) => {
  expect(urlRefusal(url, guarded)).toBeUndefined();
});

test('addresses that the operator allows pass, others of their kind do not', () => {
  const rule = { allowPrivate: false, allowed: parseAllowedTargetsOrThrow(['10.1.0.0/16', 'files.internal']) };
  expect(urlRefusal('http://10.1.2.3/', rule)).toBeUndefined();
  expect(urlRefusal('http://10.2.2.3/', rule)).toMatch(/private/);
});
