import { expect, test } from '@jest/globals';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Invocation } from '../invocation/invocation.ts';
import { createIdentifyCaller } from './identify-caller.ts';

const token = 'aaaa.bbbb.cccc';
const user = { kind: 'user', id: 7, username: 'ada', role: 'user' } as const;
const stage = createIdentifyCaller({
  async user(presented) {
    if (presented !== token) throw new GatewayError('invalid_token');
    return user;
  },
  groupsOf: async () => [3],
});

async function identify(headers: Readonly<Record<string, string>>) {
  const snapshot = { keysByHash: new Map(), groupsBySubject: new Map() };
  const invocation = { request: { headers, socket: {} }, snapshot } as unknown as Invocation;
  const verdict = await stage.run(invocation);
  return { said: verdict.kind === 'deny' ? verdict.denial.reason : verdict.kind, user: invocation.user?.id };
}

test.each<[string, Readonly<Record<string, string>>, string, number | undefined]>([
  ['a login in Authorization', { authorization: `Bearer ${token}` }, 'next', 7],
  ['a login as proxies take it', { 'x-session-token': token }, 'next', 7],
  ['a login beside what is for the agent', { 'x-session-token': token, authorization: 'Bearer sk-other' }, 'next', 7],
  ['a login that is not good', { 'x-session-token': 'aaaa.bbbb.dddd' }, 'invalid_token', undefined],
  ['a key, which comes first', { 'x-session-token': token, 'x-api-key': 'gw_unknown' }, 'key_unknown', undefined],
  ['what is no token', { 'x-session-token': 'opaque' }, 'invalid_token', undefined],
  ['a login with a scheme', { 'x-session-token': `Bearer ${token}` }, 'invalid_token', undefined],
  [
    'a login in quotes beside a key',
    { 'x-session-token': `"${token}"`, 'x-api-key': 'gw_a' },
    'invalid_token',
    undefined,
  ],
])('takes %s', async (_, headers, said, id) => {
  expect(await identify(headers)).toEqual({ said, user: id });
});
