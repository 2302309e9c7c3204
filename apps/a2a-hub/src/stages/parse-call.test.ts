import { afterEach, expect, test } from '@jest/globals';
import type { Verdict } from '@portcullis/core/pipeline/stage';
import { FairShare } from '@portcullis/platform/http/fair-share';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Invocation } from '../invocation/invocation.ts';
import { emptySnapshot } from '../snapshot/hub-snapshot.ts';
import { rpcSurface } from '../surfaces/agent-surfaces.ts';
import { freeBody } from './free-body.ts';
import { createParseCall } from './parse-call.ts';

let opened = new AsyncDisposableStack();
afterEach(async () => {
  await opened[Symbol.asyncDispose]();
  opened = new AsyncDisposableStack();
});

interface Received {
  readonly invocation: Invocation;
  readonly verdict: Verdict;
}

/** Answers each request with what the stage said of it, and keeps what it holds. */
async function start(room: FairShare) {
  const received: Received[] = [];
  const stage = createParseCall(600_000, room);
  const server = createServer((request, response) => {
    const place = { path: '/a2a/v1/agents/1/', query: new URLSearchParams(), clientIp: '192.0.2.1' };
    const invocation = new Invocation({
      request,
      requestId: 'r',
      snapshot: emptySnapshot,
      surface: rpcSurface,
      ...place,
    });
    void Promise.resolve(stage.run(invocation)).then((verdict) => {
      received.push({ invocation, verdict });
      response.shouldKeepAlive = false;
      response.end(verdict.kind === 'deny' ? verdict.denial.reason : verdict.kind);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = async (bytes: number, metadata?: object) => {
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x'.repeat(bytes) }], metadata };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } });
    return (await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })).text();
  };
  return { post, received };
}

test('large bodies share the memory for them until their calls are settled', async () => {
  const { post, received } = await start(new FairShare(180_000));
  expect(await post(140_000)).toBe('next');
  expect(await post(140_000)).toBe('service_unavailable');
  // What every body may take is not counted.
  expect(await post(60_000)).toBe('next');
  for (const { invocation } of received) {
    freeBody.run(invocation);
    freeBody.run(invocation);
  }
  expect(await post(140_000)).toBe('next');
});

test('a long body is read in steps, and one of too many values is none', async () => {
  const { post, received } = await start(new FairShare(10_000_000));
  expect(await post(300_000)).toBe('next');
  expect(received[0]?.invocation.asked).toBeDefined();
  expect(await post(1, { lists: Array.from({ length: 190_000 }, () => []) })).toBe('next');
  expect(await post(1, Object.fromEntries(Array.from({ length: 64_000 }, (_, at) => [at.toString(36), 0])))).toBe(
    'payload_too_large',
  );
});
