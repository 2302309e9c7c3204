import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { answer, startLoopbackPeer, type PeerHandler } from '@portcullis/testkit/loopback-peer';
import { createCaseSender, type CaseSenderOptions } from './case-sender.ts';

let handle: PeerHandler = (_request, response) => answer(response, 200, '{}');
const peer = await startLoopbackPeer((request, response) => handle(request, response));
afterAll(async () => peer[Symbol.asyncDispose]());
beforeEach(() => peer.forget());

const request = { method: 'POST', url: `${peer.url}/ask`, headers: {}, body: '{}' };
const send = (options: Partial<CaseSenderOptions> = {}) =>
  createCaseSender({ timeoutMs: 5_000, signal: new AbortController().signal, firstPauseMs: 1, ...options })(request);

describe('a request of an evaluation', () => {
  test('reads the start of an answer without an end, and hangs up', async () => {
    handle = async (_request, response) => {
      while (!response.destroyed) {
        response.write('x'.repeat(100_000));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    expect(await send()).toMatchObject({ status: 200, body: 'x'.repeat(256_000) });
  });

  test('gives up an answer that trickles, as one that does not come', async () => {
    const trickle: PeerHandler = async (_request, response) => {
      while (!response.destroyed) {
        response.write('x');
        await new Promise((resolve) => void setTimeout(resolve, 5));
      }
    };
    for (const conduct of [trickle, () => undefined]) {
      handle = conduct;
      expect(await send({ timeoutMs: 100 })).toEqual({ failure: 'The endpoint did not answer within 100 ms' });
    }
  });

  test('follows no redirect', async () => {
    handle = (_request, response) => answer(response, 302, '', { location: '/elsewhere' });
    expect(await send()).toMatchObject({ status: 302 });
    expect(peer.requests.map(({ path }) => path)).toEqual(['/ask']);
  });

  test('is repeated while the endpoint is busy, tells for how long, and answers what was said last', async () => {
    const pauses: number[] = [];
    handle = (_request, response) => answer(response, 529, '{"error":"overloaded"}');
    expect(await send({ repeats: 2, onBusy: (pauseMs) => void pauses.push(pauseMs) })).toMatchObject({ status: 529 });
    expect([pauses, peer.requests.length]).toEqual([[1, 2], 3]);
    const soon = new Date(Date.now() + 1_000).toUTCString();
    handle = (_request, response) =>
      peer.requests.length > 4 ? answer(response, 200, '{}') : answer(response, 429, '', { 'retry-after': soon });
    expect(await send({ onBusy: (pauseMs) => void pauses.push(pauseMs) })).toMatchObject({ status: 200 });
    expect(pauses[2]).toBeLessThanOrEqual(1_000);
  });

  test('is sent again where no connection was made, and never where one broke', async () => {
    handle = (_request, response) => void response.destroy();
    expect(await send({ reconnects: 3 })).toMatchObject({ failure: expect.stringContaining('could not be reached') });
    expect(peer.requests).toHaveLength(1);
    handle = (_request, response) => answer(response, 200, '{}');
    await peer.down();
    expect(await send()).toMatchObject({ failure: expect.stringContaining('ECONNREFUSED') });
    const late = send({ reconnects: 3, firstPauseMs: 100 });
    await peer.up();
    expect(await late).toMatchObject({ status: 200 });
  });

  test('ends with the run, and waits no longer than it is hurried', async () => {
    handle = (_request, response) => answer(response, 503, '', { 'retry-after': '60' });
    const [stop, hurry] = [new AbortController(), new AbortController()];
    const hurried = send({ hurry: hurry.signal, onBusy: () => hurry.abort() });
    expect(await hurried).toMatchObject({ status: 503 });
    expect(await send({ signal: stop.signal, onBusy: () => stop.abort() })).toEqual({ failure: 'The run was stopped' });
  });
});
