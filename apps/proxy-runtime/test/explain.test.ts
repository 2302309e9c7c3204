import { describe, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { aPolicy, mailRule } from './a-policy.ts';
import { explainSecret, goodKey, listen, startProxy } from './start-proxy.ts';

const policy = aPolicy('privacy', [mailRule()], { severity: 'Medium' });

const seconds = (): number => Math.floor(Date.now() / 1_000);
const claims = (changes: object = {}) => ({
  iss: 'portcullis',
  aud: 'portcullis-management',
  role: 'admin',
  iat: seconds(),
  exp: seconds() + 600,
  ...changes,
});

const sign = (payload: object, secret = explainSecret, alg = 'HS256'): string => {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg, typ: 'JWT' })}.${encode(payload)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
};

/** Sends a request with something to redact, and answers the explanation and what the target saw. */
const ask = async (token: string | undefined, explains = true) => {
  const seen: unknown[] = [];
  await using target = await listen((request, response) => {
    seen.push(request.headers['x-portcullis-explain']);
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  await using proxy = await startProxy({ target: target.origin, policies: [policy], proxy: { explains } });
  const response = await fetch(`${proxy.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${goodKey}`,
      ...(token !== undefined && { 'x-portcullis-explain': token }),
    },
    body: JSON.stringify({ messages: [{ content: 'to amy@house.example', amyathouseexampleisherkey123: 'x' }] }),
  });
  await response.arrayBuffer();
  expect(seen).toEqual([undefined]);
  return response.headers.get('x-portcullis-explain');
};

describe('an explanation', () => {
  test('tells an admin stage, rule, place, view and time, and no text', async () => {
    const told = await ask(`Bearer ${sign(claims())}`);
    expect(JSON.parse(told ?? '')).toMatchObject({
      action: 'redact',
      policies: ['privacy'],
      duration_us: { 'inspect-request': expect.any(Number) },
      findings: [
        {
          stage: 'inspect-request',
          policy: 'privacy',
          rule: 'EMAIL',
          view: 'plain',
          location: '/messages/0/content',
          start: 3,
          end: 20,
        },
      ],
    });
    expect(told).not.toContain('amy');
  });

  test.each([
    ['nobody', undefined],
    ['a viewer', sign(claims({ role: 'viewer' }))],
    ['an expired token', sign(claims({ exp: seconds() - 1 }))],
    ['an old token', sign(claims({ iat: seconds() - 4_000 }))],
    ['another signer', sign(claims(), 'x'.repeat(40))],
    ['another algorithm', sign(claims(), explainSecret, 'none')],
    ['another audience', sign(claims({ aud: 'elsewhere' }))],
    ['no token', 'a.b.c'],
  ])('is not for %s', async (_who, token) => {
    expect(await ask(token)).toBeNull();
  });

  test('is given only where the proxy says so', async () => {
    expect(await ask(sign(claims()), false)).toBeNull();
  });
});
