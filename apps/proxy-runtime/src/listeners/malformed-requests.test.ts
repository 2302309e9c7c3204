import { expect, test } from '@jest/globals';
import type { SpoolRecord } from '@portcullis/contracts/records';
import { silentLog } from '@portcullis/platform/test/test-database';
import { MalformedRequests } from './malformed-requests.ts';

function start() {
  const records: SpoolRecord[] = [];
  const counted: string[] = [];
  const clock = { nowMs: 1_760_000_000_000, elapsedMs: 0 };
  const unreadable = new MalformedRequests({
    append: (more) => void records.push(...more),
    count: (reason) => void counted.push(reason),
    log: silentLog,
    nowMs: () => clock.nowMs,
    elapsedMs: () => clock.elapsedMs,
  });
  const flood = (count: number, address: (index: number) => string, proxyId = 7) => {
    for (let index = 0; index < count; index += 1) {
      unreadable.take(proxyId, { reason: 'bad_request', code: 'HPE_INVALID_METHOD', address: address(index) });
    }
  };
  return { records, counted, clock, unreadable, flood };
}

test('an entry tells the proxy, the address and the reason', () => {
  const { records, unreadable } = start();
  unreadable.take(7, { reason: 'headers_too_large', code: 'HPE_HEADER_OVERFLOW', address: '192.0.2.1' });
  expect(records).toMatchObject([
    {
      kind: 'request_log',
      proxy_id: 7,
      timestamp: '2025-10-09T08:53:20.000Z',
      client_ip: '192.0.2.1',
      status_code: 431,
      denied_reason: 'headers_too_large',
      denied_stage: 'listener',
    },
  ]);
});

test('a flood is counted whole and does not fill the log, from one address or from many', () => {
  const { records, counted, clock, flood } = start();
  flood(1_000, () => '192.0.2.1');
  expect(records).toHaveLength(10);
  flood(1_000, (index) => `198.51.100.${index}`);
  expect(records).toHaveLength(60);
  expect(counted).toHaveLength(2_000);
  flood(1, () => '192.0.2.1', 8);
  expect(records).toHaveLength(61);

  // Setting the clock back must not keep the next ones out for hours.
  clock.nowMs -= 10_800_000;
  clock.elapsedMs += 60_000;
  flood(1_000, () => '192.0.2.1');
  expect(records).toHaveLength(71);
});
