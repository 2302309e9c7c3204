import { expect, test } from '@jest/globals';
import type { AlertRecord } from '@portcullis/contracts/records';
import { createTrafficAnalyser } from '@portcullis/core/traffic-analysis/traffic-analyser';
import { goodKey, listen, startProxy, type StartOptions } from './start-proxy.ts';

/** A proxy whose target answers an empty object, or 404 below /missing. */
async function start(options: Partial<StartOptions> = {}) {
  const target = await listen((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(request.url?.startsWith('/missing') === true ? 404 : 200).end('{}');
    });
  });
  const proxy = await startProxy({ target: target.origin, analyser: createTrafficAnalyser(), ...options });
  const send = async (path: string, body: unknown, key = goodKey) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const response = await fetch(`${proxy.origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    await response.text();
    return response.status;
  };
  const alerts = () => proxy.spool.records.filter((record): record is AlertRecord => record.kind === 'alert');
  return {
    ...proxy,
    send,
    alerts,
    stop: () => Promise.all([target, proxy].map((each) => each[Symbol.asyncDispose]())),
  };
}

test('an address that tries key after key is told once, in the words of a suspicion', async () => {
  const proxy = await start();
  for (let guess = 0; guess < 15; guess += 1) expect(await proxy.send('/v1/x', {}, `gw_guess_${guess}`)).toBe(401);
  expect(proxy.alerts()).toEqual([
    expect.objectContaining({
      title: 'Behavioral Anomaly: Key Guessing',
      description: expect.stringMatching(/^\[Traffic Analysis\] .* not a confirmed threat \(confidence \d+ %\)\.$/),
      action: 'Monitor',
      category: 'Traffic Analysis',
      rule_id: 'BEHAVIORAL_KEY_GUESSING',
      policy_name: 'traffic-analysis',
      user_identity: null,
    }),
  ]);
  expect(JSON.stringify(proxy.spool.records)).not.toContain('gw_guess');
  await proxy.stop();
});

test('MCP messages are told apart by method and tool, in batches too', async () => {
  const proxy = await start({ proxy: { type: 'mcp' } });
  const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
  await proxy.send('/mcp', call('tools/list', {}));
  const guesses = Array.from({ length: 10 }, (_, index) => call('tools/call', { name: `guess-${index}` }));
  await proxy.send('/missing', guesses);
  const secret = 'q7Zx2LpV9sKd83mNwTrYbHc5FgJe4UaXiQoP';
  await proxy.send('/mcp', call('tools/call', { name: 'found', arguments: { note: secret } }));
  expect(proxy.alerts().map(({ rule_id: rule }) => rule)).toEqual([
    'BEHAVIORAL_ENUMERATION',
    'SEQUENCE_RECONNAISSANCE',
  ]);
  expect(JSON.stringify(proxy.alerts())).not.toContain(secret);
  await proxy.stop();
});

test('nothing is refused, and nothing told where it is not wanted', async () => {
  const proxy = await start({ analyser: undefined });
  for (let index = 0; index < 15; index += 1) await proxy.send(`/missing/${index}`, {});
  expect(await proxy.send('/v1/x', {})).toBe(200);
  expect(proxy.alerts()).toEqual([]);
  await proxy.stop();
});
