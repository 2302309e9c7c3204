import { describe, expect, test } from '@jest/globals';
import type { RequestLogRecord, UsageRecord } from '@portcullis/contracts/records';
import type { Policy } from '@portcullis/core/policy/policy';
import { startLlmPeer, type LlmBehaviour, type LlmPeer } from '@portcullis/testkit/llm-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { dialectDrivers, weather, type DialectDriver } from './dialect-drivers.ts';
import { otherApiDrivers } from './other-api-drivers.ts';
import { doorsPolicy, forbidden } from './stream-block-policy.ts';
import { goodKey, startProxy, type RunningProxy } from './start-proxy.ts';

const vendorKey = 'sk-vendor';

interface Stage extends AsyncDisposable {
  readonly peer: LlmPeer;
  readonly proxy: RunningProxy;
}

const redacting: Policy = { ...doorsPolicy, rules: doorsPolicy.rules.map((rule) => ({ ...rule, action: 'redact' })) };

/** A proxy with a key of its own for a peer that refuses every other key. */
async function start(behaviour: LlmBehaviour = {}, enforced = doorsPolicy): Promise<Stage> {
  const peer = await startLlmPeer({ requireKey: vendorKey, ...behaviour });
  const proxy = await startProxy({
    target: peer.url,
    policies: [enforced],
    targetEntry: { auth: { value: vendorKey } },
  });
  return {
    peer,
    proxy,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await peer[Symbol.asyncDispose]();
    },
  };
}

const logsOf = ({ proxy }: Stage) =>
  proxy.spool.records.filter(({ kind }) => kind === 'request_log') as unknown as readonly RequestLogRecord[];
const usageOf = ({ proxy }: Stage) =>
  proxy.spool.records.filter(
    ({ kind }) => kind === 'usage' || kind === 'usage_counted',
  ) as unknown as readonly UsageRecord[];

/** The gateway's key is nowhere in what reached the target, whose own key is. */
const expectKeysInPlace = ({ peer }: Stage) => {
  for (const { headers, path, body } of peer.requests) {
    const arrived = JSON.stringify([headers, path, body]);
    expect(arrived).not.toContain(goodKey);
    expect(arrived).toContain(vendorKey);
  }
};

/** What of a stream came before the error it ended with. */
async function readToError(stream: AsyncIterable<string>): Promise<{ readonly text: string; readonly error: unknown }> {
  let text = '';
  try {
    for await (const piece of stream) text += piece;
  } catch (error) {
    return { text, error };
  }
  return { text, error: undefined };
}

const failing = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const drivers = [...dialectDrivers, ...otherApiDrivers];

describe.each(drivers.map((driver) => [driver.name, driver] as const))('%s', (_, driver) => {
  const whole = driver as Required<DialectDriver>;
  /** Tests what this API has. */
  const ifIt = (has: keyof DialectDriver) => (driver[has] === undefined ? () => undefined : test);
  const isKnown = driver.protocol !== 'any-json';

  const expectUsage = (stage: Stage, told: object) =>
    expect(usageOf(stage)).toMatchObject([{ protocol: driver.protocol, ...told }]);

  test('plain', async () => {
    await using stage = await start();
    expect(await driver.ask(stage.proxy.origin, 'Good day')).toBe('Good day');
    expectKeysInPlace(stage);
    expect(logsOf(stage)).toMatchObject([{ status_code: 200, denied_reason: undefined }]);
    if (isKnown) expectUsage(stage, { estimated: false });
    expect(stage.proxy.problems).toEqual([]);
  });

  ifIt('stream')('stream', async () => {
    await using stage = await start({ chunks: ['Good', ' ', 'day', ' ☀', ', ', 'world'], writeBytes: 7 });
    const pieces: string[] = [];
    for await (const piece of whole.stream(stage.proxy.origin, 'Hello')) pieces.push(piece);
    expect(pieces).toEqual(['Good', ' ', 'day', ' ☀', ', ', 'world']);
    expectKeysInPlace(stage);
    if (isKnown) expectUsage(stage, { estimated: false, output_tokens: 5 });
    expect(stage.proxy.problems).toEqual([]);
  });

  ifIt('see')('an image', async () => {
    await using stage = await start();
    expect(await whole.see(stage.proxy.origin)).toBe('What is [image]');
  });

  const call = { name: weather.name, arguments: { city: 'Bern' } };

  ifIt('call')('tools', async () => {
    await using stage = await start({ call });
    const called = await whole.call(stage.proxy.origin);
    expect(called).toMatchObject({ name: 'weather', city: 'Bern' });
    expect(JSON.stringify(stage.peer.requests.at(-1)?.body)).toContain(weather.result);
  });

  ifIt('streamCall')('tools on a stream', async () => {
    await using stage = await start({ call });
    expect(await whole.streamCall(stage.proxy.origin)).toEqual({ name: 'weather', city: 'Bern' });
  });

  test('an error of the target, in its own words', async () => {
    await using stage = await start({ fault: { kind: 'status', status: 429 } });
    const error = await failing(driver.ask(stage.proxy.origin, 'Hello'));
    expect(error).toMatchObject({ status: 429, message: expect.stringContaining('The peer was told to fail') });
  });

  ifIt('stream')('a stream that the target breaks off', async () => {
    await using stage = await start({ reply: 'a b c d', fault: { kind: 'break-off', afterPieces: 2 } });
    const { text, error } = await readToError(whole.stream(stage.proxy.origin, 'Hello'));
    expect('a b').toContain(text);
    expect(error).toBeInstanceOf(driver.errors[1]);
    await waitFor(() => logsOf(stage).length === 1, { what: 'the record' });
    expect(logsOf(stage)).toMatchObject([{ denied_reason: 'target_failed' }]);
  });

  test('a request that is blocked', async () => {
    await using stage = await start();
    const error = await failing(driver.ask(stage.proxy.origin, `Say ${forbidden}!`));
    expect(error).toMatchObject({ status: 403, message: expect.stringContaining('blocked by security policy') });
    expect(error).toBeInstanceOf(driver.errors[0]);
    expect(stage.peer.requests).toEqual([]);
  });

  ifIt('stream')('an answer that is blocked', async () => {
    await using stage = await start({ reply: `It is ${forbidden}!` });
    const error = await failing(driver.ask(stage.proxy.origin, 'Hello'));
    expect(error).toMatchObject({ status: 403, message: expect.stringContaining('blocked by security policy') });
    expect(error).toBeInstanceOf(driver.errors[0]);
  });

  ifIt('stream')('a stream that is blocked', async () => {
    await using stage = await start({ chunks: ['Hello', ' there', ', op', 'en ses', 'ame', ' and on', ' and on'] });
    const { text, error } = await readToError(whole.stream(stage.proxy.origin, 'Hello'));
    expect('Hello there, ').toContain(text);
    expect(text).toContain('Hello there');
    expect(error).toMatchObject({ message: expect.stringContaining('blocked by security policy') });
    expect(error).toBeInstanceOf(driver.errors[1]);
    expect(logsOf(stage)).toMatchObject([{ denied_reason: 'policy_violation_response' }]);
  });

  ifIt('stream')('a stream that is redacted', async () => {
    const chunks = ['Hello', ' there', ', op', 'en ses', 'ame', ' and', ' on'];
    await using stage = await start({ chunks }, redacting);
    const { text, error } = await readToError(whole.stream(stage.proxy.origin, 'Hello'));
    expect(error).toBeUndefined();
    expect(text).toBe('Hello there, <DOOR_1_1> and on');
  });

  ifIt('streamCall')('a call on a stream that is redacted', async () => {
    const secret = { ...call, arguments: { city: `"${forbidden}"` } };
    await using stage = await start({ call: secret }, redacting);
    const { city } = await whole.streamCall(stage.proxy.origin);
    expect(city).toBe('"<DOOR_1_1>"');
  });

  test('a client that leaves before the answer', async () => {
    await using stage = await start({ fault: { kind: 'hang' } });
    const leaving = new AbortController();
    const failed = failing(driver.ask(stage.proxy.origin, 'Hello', leaving.signal));
    await waitFor(() => stage.peer.requests.length === 1, { what: 'the request' });
    leaving.abort();
    expect(await failed).toBeDefined();
    await waitFor(() => stage.peer.requests[0]?.outcome === 'broken-off', { what: 'the target to be let go' });
    expect(logsOf(stage)).toMatchObject([{ denied_reason: 'client_closed' }]);
  });

  ifIt('stream')('a client that leaves within a stream', async () => {
    await using stage = await start({ reply: 'a b c d', fault: { kind: 'hang', afterPieces: 3 } });
    const leaving = new AbortController();
    let read = '';
    const failed = failing(
      (async () => {
        for await (const piece of whole.stream(stage.proxy.origin, 'Hello', leaving.signal)) {
          read += piece;
          leaving.abort();
        }
      })(),
    );
    await failed;
    expect('a b c').toContain(read);
    await waitFor(() => stage.peer.requests[0]?.outcome === 'broken-off', { what: 'the target to be let go' });
    await waitFor(() => logsOf(stage).length === 1, { what: 'the record' });
    expect(logsOf(stage)).toMatchObject([{ denied_reason: 'client_closed' }]);
    expect(usageOf(stage)).toHaveLength(1);
  });
});

test.each<[string, LlmBehaviour]>([
  ['blocked', { chunks: ['Hello', ' there', ', op', 'en ses', 'ame', ' and on'] }],
  ['broken off by the target', { reply: 'a b c d', fault: { kind: 'break-off', afterPieces: 3 } }],
])('a stream of responses that is %s numbers its error behind its events', async (_, behaviour) => {
  await using stage = await start(behaviour);
  const response = await fetch(`${stage.proxy.origin}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${goodKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', input: 'Hello', stream: true }),
  });
  const text = await response.text();
  const numbers = Array.from(text.matchAll(/"sequence_number":(\d+)/g), ([, number]) => Number(number));
  expect(text).toContain('event: error');
  expect(numbers.length).toBeGreaterThan(4);
  expect(numbers).toEqual(numbers.map((_number, index) => index));
});
