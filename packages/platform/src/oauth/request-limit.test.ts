import { expect, test } from '@jest/globals';
import { createInProcessBuckets } from '../coordination/in-process/buckets.ts';
import { createMessageLimit } from '../mcp-server/admit-request.ts';
import { createRequestLimit } from './request-limit.ts';

const addresses = (network: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${network}::${(index + 1).toString(16)}`);

test('a client is not given the limit again for each address of its network', async () => {
  const limit = createRequestLimit(createInProcessBuckets(), 'test');
  for (const address of addresses('2001:db8:1:2', 60)) await limit.countRequest(address);
  await expect(limit.countRequest('2001:db8:1:2:ffff::1')).rejects.toMatchObject({ reason: 'too_many_requests' });
  await limit.countRequest('2001:db8:1:3::1');
  await limit.countRequest('192.0.2.1');
});

test('nor on the MCP servers of the gateway', async () => {
  const count = createMessageLimit(createInProcessBuckets(), 'test');
  const settings = { requests_per_minute: 3 } as Parameters<typeof count>[1];
  for (const address of addresses('2001:db8:1:2', 3)) await count(address, settings);
  await expect(count('2001:db8:1:2::99', settings)).rejects.toMatchObject({ reason: 'too_many_requests' });
  await count('2001:db8:1:3::1', settings);
});
