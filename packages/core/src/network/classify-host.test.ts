import { expect, test } from '@jest/globals';
import { classifyHost } from './classify-host.ts';

test.each([
  ['localhost', 'loopback'],
  ['LOCALHOST.', 'loopback'],
  ['app.localhost', 'loopback'],
  ['metadata.google.internal', 'metadata'],
  ['Metadata.Google.Internal.', 'metadata'],
  ['169.254.169.254', 'metadata'],
  ['[fd00:ec2::254]', 'metadata'],
  ['10.1.2.3', 'private'],
  ['api.openai.com', undefined],
  ['notlocalhost', undefined],
  ['localhost.example.com', undefined],
  [`localhost${'.'.repeat(500_000)}`, 'loopback'],
  [`localhost${'.'.repeat(500_000)}b`, undefined],
])('%.40s is %s', (host, addressClass) => {
  expect(classifyHost(host)).toBe(addressClass);
});
