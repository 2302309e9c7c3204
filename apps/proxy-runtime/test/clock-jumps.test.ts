import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createTrafficAnalyser } from '@portcullis/core/traffic-analysis/traffic-analyser';
import { startLlmPeer } from '@portcullis/testkit/llm-peer';
import { goodKey, startProxy, type RunningProxy } from './start-proxy.ts';

// A clock that is set back by hours must not keep evidence away until it has caught up.

const hourMs = 3_600_000;
const jumps = [-3 * hourMs, 3 * hourMs];

beforeEach(() => {
  jest.useFakeTimers({
    doNotFake: [
      ...(['hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
      ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
    ],
  });
});
afterEach(() => void jest.useRealTimers());

/** So much time passes while the clock is set. */
function jump(byMs: number, elapsedMs: number): void {
  jest.advanceTimersByTime(elapsedMs);
  jest.setSystemTime(Date.now() - elapsedMs + byMs);
}

const ask = async (proxy: RunningProxy, key: string): Promise<number> => {
  const { status } = await fetch(`${proxy.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"hello"}]}',
  });
  return status;
};

const recordsOf = (proxy: RunningProxy, kind: string) => proxy.spool.records.filter((record) => record.kind === kind);

test.each(jumps)('a refused key is audited again after a minute, the clock set by %i ms', async (byMs) => {
  await using target = await startLlmPeer();
  await using proxy = await startProxy({ target: target.url });
  expect(await ask(proxy, 'stolen')).toBe(401);
  expect(await ask(proxy, 'stolen')).toBe(401);
  expect(recordsOf(proxy, 'audit')).toHaveLength(1);
  jump(byMs, 10_000);
  expect(await ask(proxy, 'stolen')).toBe(401);
  expect(recordsOf(proxy, 'audit')).toHaveLength(1);
  jump(0, 51_000);
  expect(await ask(proxy, 'stolen')).toBe(401);
  expect(recordsOf(proxy, 'audit')).toHaveLength(2);
});

test.each(jumps)('guessed keys are told of again after ten minutes, the clock set by %i ms', async (byMs) => {
  await using target = await startLlmPeer();
  await using proxy = await startProxy({ target: target.url, analyser: createTrafficAnalyser() });
  const guess = async (): Promise<number> => {
    for (let number = 0; number < 40; number += 1) await ask(proxy, `guess-${number}`);
    return recordsOf(proxy, 'alert').length;
  };
  const told = await guess();
  expect(told).toBeGreaterThan(0);
  jump(byMs, 60_000);
  expect(await guess()).toBe(told);
  jump(0, 550_000);
  expect(await guess()).toBeGreaterThan(told);
});

test.each(jumps)('a key that is in force is taken, the clock set by %i ms', async (byMs) => {
  await using target = await startLlmPeer();
  await using proxy = await startProxy({ target: target.url });
  jump(byMs, 0);
  expect(await ask(proxy, goodKey)).toBe(200);
});
