import { expect, test } from '@jest/globals';
import { answer, startLoopbackPeer } from '../../packages/testkit/src/loopback-peer.ts';
import { Ledger } from './ledger.ts';
import { replay } from './replay.ts';

const finding = { policy: 'first', rule: 'loud', action: 'block', location: '/system', view: 'plain' };
const request = {
  method: 'POST',
  path: '/v1/messages?beta=true',
  headers: { 'anthropic-version': '2023-06-01', authorization: 'Bearer other', 'content-length': '1' },
  body: '{"model":"m"}',
  outcome: 'answered',
} as const;
const proxyAt = (url: string) => ({ url, key: 'gw_key', adminToken: 'token' });
const { signal } = new AbortController();

test('a request is sent again as it was, with our key, and its explanation is read', async () => {
  await using peer = await startLoopbackPeer((_, response) =>
    answer(response, 403, { error: 'no' }, { 'x-portcullis-explain': JSON.stringify({ findings: [finding] }) }),
  );
  expect(await replay(request, proxyAt(peer.url), signal)).toEqual({
    status: 403,
    answer: '{"error":"no"}',
    findings: [{ policy: 'first', rule: 'loud', action: 'block', location: '/system' }],
  });
  const [sent] = peer.requests;
  expect(sent).toMatchObject({ method: 'POST', path: request.path, body: request.body });
  expect(sent?.headers).toMatchObject({ 'anthropic-version': '2023-06-01', 'x-api-key': 'gw_key' });
  expect(sent?.headers.authorization).toBeUndefined();
});

test('a proxy that explains nothing is no proof that nothing was found', async () => {
  await using peer = await startLoopbackPeer((_, response) => answer(response, 200, {}));
  await expect(replay(request, proxyAt(peer.url), signal)).rejects.toThrow('did not explain');
});

test('a refusal and an answer that ends otherwise count as blocked, other counts of tokens do not', () => {
  const ledger = new Ledger('first');
  const found = [{ policy: 'first', rule: 'loud', action: 'block', location: '/system' }] as const;
  ledger.add('question', { status: 403, answer: 'no', findings: found }, 'Paris, 10 tokens');
  ledger.add('edit', { status: 200, answer: 'Par', findings: found }, 'Paris, 10 tokens');
  ledger.add('edit', { status: 200, answer: 'Paris, 8 tokens', findings: [] }, 'Paris, 10 tokens');
  expect(ledger.verdict()).toEqual({
    policy: 'first',
    requests: 3,
    blocked: 2,
    findings: [{ ...found[0], task: 'question' }],
  });
});
