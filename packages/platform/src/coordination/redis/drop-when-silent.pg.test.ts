import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { Redis } from 'ioredis';
import { openTcpRelay } from '../../../test/tcp-relay.ts';
import { failFast } from './connect-redis.ts';
import { dropWhenSilent } from './drop-when-silent.ts';

const url = new URL(process.env['TEST_REDIS_URL'] ?? '');

test('a connection on which an answer is due and nothing comes is dropped, one that rests is kept', async () => {
  await using relay = await openTcpRelay(url.hostname, Number(url.port));
  const client = new Redis(relay.port, '127.0.0.1', failFast);
  const problems: string[] = [];
  client.on('error', (error: Error) => problems.push(error.message));
  await waitFor(() => client.status === 'ready', { what: 'Redis' });
  let asked = 0;
  try {
    dropWhenSilent(client, 100);
    await waitFor(() => (asked += 1) > 30, { what: 'many looks at a connection that rests' });
    expect([client.status, problems]).toEqual(['ready', []]);
    relay.slow(Number.POSITIVE_INFINITY);
    await expect(client.get(`test-${randomUUID()}`)).rejects.toThrow('max retries per request');
    await waitFor(() => problems.length > 1, { what: 'the next connection, which is never ready, to be dropped too' });
    expect(new Set(problems)).toEqual(new Set(['Redis says nothing for 100 ms']));
    await relay.restore();
    await waitFor(() => client.get('x').then(() => true), { what: 'Redis to be back' });
  } finally {
    client.disconnect();
  }
});
