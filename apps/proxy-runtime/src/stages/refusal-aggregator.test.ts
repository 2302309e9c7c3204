import { expect, test } from '@jest/globals';
import type { RequestLogRecord } from '@portcullis/contracts/records';
import { sampleRequestLog } from '@portcullis/platform/test/spool/sample-records';
import { RefusalAggregator } from './refusal-aggregator.ts';

const minuteMs = 60_000;

const refused = (changes: Partial<RequestLogRecord> = {}): RequestLogRecord =>
  sampleRequestLog({
    status_code: 401,
    denied_reason: 'key_missing',
    denied_stage: 'identify',
    duration_ms: 0.25,
    request_size: 0,
    response_size: 100,
    ...changes,
  });

test('the first of alike refusals has its entry, those of the minute behind it one together', () => {
  const aggregator = new RefusalAggregator();
  const each = Array.from({ length: 1_000 }, (_, index) =>
    aggregator.aggregate(refused({ request_id: `${index}` }), index),
  );
  expect(each.filter((isGathered) => !isGathered)).toHaveLength(1);
  expect(aggregator.takeRecords(minuteMs - 1)).toEqual([]);
  expect(aggregator.takeRecords(minuteMs)).toMatchObject([
    {
      requests: 999,
      request_id: '999',
      path: '/v1/chat/completions',
      client_ip: '203.0.113.9',
      duration_ms: 249.75,
      response_size: 99_900,
    },
  ]);
  expect(aggregator.aggregate(refused(), minuteMs + 1)).toBe(false);
  expect(aggregator.takeRecords(Number.POSITIVE_INFINITY)).toEqual([]);
});

test('reasons, proxies, addresses and keys that are not good any more are told apart', () => {
  const aggregator = new RefusalAggregator();
  const different = [
    {},
    { proxy_id: 8 },
    { denied_reason: 'key_unknown' },
    { client_ip: '203.0.113.10' },
    { denied_reason: 'key_revoked', api_key_id: 3 },
    { denied_reason: 'key_revoked', api_key_id: 4 },
  ];
  for (const changes of different) expect(aggregator.aggregate(refused(changes), 0)).toBe(false);
  for (const changes of different) expect(aggregator.aggregate(refused(changes), 1)).toBe(true);
  expect(aggregator.takeRecords(minuteMs)).toHaveLength(different.length);
});

test('an entry tells what its requests have in common, and the network of IPv6 addresses', () => {
  const aggregator = new RefusalAggregator();
  for (const index of [1, 2, 3])
    aggregator.aggregate(
      refused({ client_ip: `2001:db8::${index}`, path: `/${index}`, user_agent: `agent ${index}` }),
      0,
    );
  aggregator.aggregate(refused({ client_ip: '2001:db8:0:1::1' }), 0);
  expect(aggregator.takeRecords(minuteMs)).toMatchObject([
    { requests: 2, client_ip: '2001:0db8:0000:0000::/64', method: 'POST', path: '', user_agent: null },
  ]);
});

test('what was aggregated outlasts a window that was not emptied', () => {
  const aggregator = new RefusalAggregator();
  for (const nowMs of [0, 1, 2, minuteMs + 1, minuteMs + 2]) aggregator.aggregate(refused(), nowMs);
  expect(aggregator.takeRecords(3 * minuteMs)).toMatchObject([{ requests: 3 }]);
});

test('a flood from any number of addresses leaves a bounded number of entries, and every request is counted', () => {
  const aggregator = new RefusalAggregator();
  const flood = 50_000;
  let entries = 0;
  for (let index = 0; index < flood; index += 1) {
    const client_ip = `10.0.${index >> 8}.${index & 255}`;
    if (
      !aggregator.aggregate(
        refused({ client_ip, denied_reason: index % 2 ? 'key_missing' : 'key_unknown' }),
        index / 1e3,
      )
    )
      entries += 1;
  }
  expect(entries).toBe(100);
  // Another proxy is not drowned by it.
  expect(aggregator.aggregate(refused({ proxy_id: 8 }), 0)).toBe(false);
  const records = aggregator.takeRecords(Number.POSITIVE_INFINITY);
  expect(records).toMatchObject([
    { denied_reason: 'key_unknown', client_ip: '' },
    { denied_reason: 'key_missing', client_ip: '' },
  ]);
  expect(records.reduce((sum, { requests = 1 }) => sum + requests, entries)).toBe(flood);
});

test('so does one that comes to thousands of proxies, and the minute behind it begins anew', () => {
  const aggregator = new RefusalAggregator();
  const [proxies, addresses] = [3_000, 20];
  const flood = (nowMs: number): number => {
    let entries = 0;
    for (let proxy_id = 1; proxy_id <= proxies; proxy_id += 1) {
      for (let address = 0; address < addresses; address += 1)
        if (!aggregator.aggregate(refused({ proxy_id, client_ip: `192.0.2.${address}` }), nowMs)) entries += 1;
    }
    return entries;
  };
  for (const nowMs of [0, minuteMs]) {
    const entries = flood(nowMs);
    expect(entries).toBe(2_000);
    const records = aggregator.takeRecords(nowMs + minuteMs);
    // One for each proxy that was not told apart.
    expect(records).toHaveLength(proxies - entries / addresses);
    expect(records.reduce((sum, { requests = 1 }) => sum + requests, entries)).toBe(proxies * addresses);
  }
});
