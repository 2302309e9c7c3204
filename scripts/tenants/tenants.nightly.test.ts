import { describe, expect, test } from '@jest/globals';
import { startGateway, waysFor } from '../../apps/gateway/test/start-gateway.ts';
import { runTenants } from './run-tenants.ts';

const requests = 6_000;

describe.each(waysFor('services'))('two tenants on one proxy, %s', (way) => {
  test('hear nothing of each other, also where connections are reset, left and shared', async () => {
    await using gateway = await startGateway(way);
    const { signal } = new AbortController();
    const report = await runTenants(gateway, { requests, connections: 40, signal });
    expect(report.examples).toEqual([]);
    expect(report).toMatchObject({ requests, crossings: 0 });
    for (const count of ['answered', 'aborted', 'pipelined', 'forwarded', 'logs', 'alerts', 'traces'] as const)
      expect(report[count]).toBeGreaterThan(0);
  });
});
