import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { settingsSections } from '@portcullis/contracts/settings';
import { Secret } from '@portcullis/platform/config/secret';
import { answer, startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import { startElasticPeer, startSplunkPeer } from '@portcullis/testkit/vendor-peers';
import { createHttpSender, type HttpSender } from '../../senders/http-sender.ts';
import { anAlert } from '../an-alert.fixture.ts';
import { siemChannel } from './siem-channel.ts';

let http: HttpSender;
beforeAll(() => {
  http = createHttpSender({ allowPrivate: true });
});
afterAll(async () => http[Symbol.asyncDispose]());

const never = new AbortController().signal;
const apiKey = 'key-of-the-siem';

function open(set: object) {
  const settings = { ...settingsSections.siem.defaults, enabled: true, ...set };
  const tools = { http } as unknown as Parameters<typeof siemChannel.open>[1];
  const { send } = siemChannel.open({ settings, secret: () => new Secret(apiKey) }, tools);
  return (ids: readonly number[], change: object = {}) =>
    Promise.all(ids.map((id) => send(anAlert({ id, ...change }), never)));
}

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
const idOf = (document: unknown): number => (document as { portcullis: { alert_id: number } }).portcullis.alert_id;

describe('events to Elasticsearch', () => {
  test('go in compressed batches, and each is stored once however often it is sent', async () => {
    await using peer = await startElasticPeer(apiKey);
    const send = open({ format: 'elastic', endpoint: peer.url });
    const outcomes = await send(range(450));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['delivered']));
    expect(peer.taken.map(idOf).toSorted((one, other) => one - other)).toEqual(range(450));
    expect(peer.requests.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', 'gzip', 'gzip']);
    expect(await send([1, 2, 451])).toMatchObject([
      { kind: 'delivered' },
      { kind: 'delivered' },
      { kind: 'delivered' },
    ]);
    expect(peer.taken).toHaveLength(451);
  });

  test('that are refused or put off in a batch are so alone', async () => {
    const statuses = [{ status: 201 }, { status: 429, error: { type: 'es_rejected_execution_exception' } }];
    const items = [
      ...statuses,
      { status: 400, error: { type: 'document_parsing_exception' } },
      { status: 409, error: {} },
    ];
    await using peer = await startLoopbackPeer((_request, response) =>
      answer(response, 200, { errors: true, items: items.map((item) => ({ create: item })) }),
    );
    const send = open({ format: 'elastic', endpoint: peer.url });
    expect(await send(range(4))).toEqual([
      { kind: 'delivered', status: 201 },
      {
        kind: 'failed',
        status: 429,
        reason: 'The SIEM did not store the event: es_rejected_execution_exception (429)',
      },
      { kind: 'refused', status: 400, reason: 'The SIEM did not store the event: document_parsing_exception (400)' },
      { kind: 'delivered', status: 409 },
    ]);
    expect(peer.requests).toHaveLength(1);
  });

  test.each(['', 'not JSON', '{"items":[]}', '{"items":[{"create":{"status":201}}]}', '{"items":[{},{}]}'])(
    'are sent again when the answer is %j',
    async (body) => {
      await using peer = await startLoopbackPeer((_request, response) => answer(response, 200, body));
      const outcomes = await open({ format: 'elastic', endpoint: peer.url })([1, 2]);
      expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'failed']);
    },
  );

  test('are put off all together by a status, for as long as it says', async () => {
    await using peer = await startLoopbackPeer((_request, response) =>
      answer(response, 429, '{}', { 'retry-after': '3' }),
    );
    const outcomes = await open({ format: 'elastic', endpoint: peer.url })(range(50));
    expect(peer.requests).toHaveLength(1);
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set([JSON.stringify({ kind: 'failed', status: 429, reason: 'The SIEM answered 429', retryAfterMs: 3_000 })]),
    );
  });
});

describe('events to Splunk', () => {
  test('go in batches', async () => {
    await using peer = await startSplunkPeer(apiKey);
    const outcomes = await open({ format: 'splunk', endpoint: peer.url })(range(100));
    expect(outcomes.every(({ kind }) => kind === 'delivered')).toBe(true);
    expect(peer.taken).toHaveLength(100);
    expect(peer.requests).toHaveLength(1);
  });

  test('are refused in one post where the token may not write to the index', async () => {
    await using peer = await startSplunkPeer(apiKey);
    const outcomes = await open({ format: 'splunk', endpoint: peer.url, index: 'other' })(range(50));
    expect(outcomes[0]).toEqual({ kind: 'refused', status: 400, reason: 'The SIEM answered 400 (Incorrect index)' });
    expect(outcomes.every(({ kind }) => kind === 'refused')).toBe(true);
    expect(peer.requests).toHaveLength(1);
  });

  test('one that is refused takes no other with it', async () => {
    await using peer = await startSplunkPeer(apiKey);
    const { send } = siemChannel.open(
      {
        settings: { ...settingsSections.siem.defaults, format: 'splunk', endpoint: peer.url },
        secret: () => new Secret(apiKey),
      },
      { http } as unknown as Parameters<typeof siemChannel.open>[1],
    );
    const outcomes = await Promise.all(
      range(20).map((id) => send(anAlert({ id, created_at: id === 13 ? 'no time' : anAlert().created_at }), never)),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(range(20).map((id) => (id === 13 ? 'refused' : 'delivered')));
    expect(peer.taken).toHaveLength(19);
  });
});

describe('events as JSON', () => {
  test.each([
    ['off', 3, (body: string): unknown[] => [JSON.parse(body)]],
    ['array', 1, (body: string) => JSON.parse(body) as unknown[]],
    [
      'lines',
      1,
      (body: string) =>
        body
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
    ],
  ] as const)('with batches %s come in %s posts', async (batches, posts, read) => {
    await using peer = await startLoopbackPeer((_request, response) => answer(response, 200, '{}'));
    await open({ format: 'json', endpoint: peer.url, json_batches: batches })(range(3));
    expect(peer.requests).toHaveLength(posts);
    const ids = peer.requests.flatMap(({ body }) => read(body) as { event_id: string }[]).map(({ event_id: id }) => id);
    expect(ids.toSorted()).toEqual(range(3).map((id) => `portcullis-alert-${id}`));
    expect(peer.requests.every(({ headers }) => headers['content-encoding'] === undefined)).toBe(true);
  });

  test('are compressed where an admin has said so', async () => {
    await using peer = await startLoopbackPeer((_request, response) => answer(response, 200, '{}'));
    await open({ format: 'json', endpoint: peer.url, compression: 'on' })([1]);
    expect(peer.requests[0]?.headers['content-encoding']).toBe('gzip');
  });

  test('keep to a megabyte for each post', async () => {
    await using peer = await startLoopbackPeer((_request, response) => answer(response, 200, '{}'));
    const long = { title: 'x'.repeat(2_000), description: 'y'.repeat(2_000), target: 'z'.repeat(4_000) };
    await open({ format: 'json', endpoint: peer.url, json_batches: 'array', batch_events: 500 })(range(120), long);
    expect(peer.requests.length).toBeGreaterThan(1);
    for (const { body } of peer.requests) expect(body.length).toBeLessThan(1_001_000);
  });

  test('are refused once each where the credentials are wrong', async () => {
    await using peer = await startLoopbackPeer((_request, response) => answer(response, 401, '{}'));
    const outcomes = await open({ format: 'json', endpoint: peer.url, json_batches: 'array' })(range(30));
    expect(peer.requests).toHaveLength(1);
    expect(outcomes.every(({ kind }) => kind === 'refused')).toBe(true);
  });
});
