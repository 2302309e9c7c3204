import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SpoolRecord } from '@portcullis/contracts/records';
import { parseTemplate } from '@portcullis/core/prompts/parse-template';
import { createTokens } from '@portcullis/platform/identity/tokens';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import { randomUUID } from 'node:crypto';
import type { Logins, LoginUser, Snapshot } from '../src/snapshot/snapshot.ts';
import { explainSecret, goodKey, startProxy, type RunningProxy, type StartOptions } from './start-proxy.ts';

const ada: LoginUser = {
  id: 11,
  username: 'ada',
  email: 'ada@eng.example.com',
  role: 'user',
  active: true,
  mustChangePassword: false,
};
const ids = { sessionId: randomUUID(), tokenId: randomUUID(), provider: 'acme' };
const sign = (changes: Partial<typeof ids & { lifetimeMs: number; secret: string; userId: number }> = {}): string => {
  const { lifetimeMs = 60_000, secret = explainSecret, userId = ada.id, ...own } = { ...ids, ...changes };
  const user = { id: userId, username: 'ada', email: ada.email, role: 'user' as const };
  return createTokens(secret).sign(user, own, Date.now(), Date.now() + lifetimeMs);
};
const logins = (changes: { user?: Partial<LoginUser>; groups?: readonly number[] } = {}): Pick<Snapshot, 'logins'> => ({
  logins: {
    sessions: new Map([[ids.sessionId, { userId: ada.id, tokenId: ids.tokenId }]]),
    users: new Map([[ada.id, { ...ada, ...changes.user }]]),
    groups: new Map([[ada.id, new Map((changes.groups ?? [1]).map((id) => [id, true as const]))]]),
  } satisfies Logins,
});

describe('a session token on a proxy', () => {
  let model: LlmPeer;
  beforeAll(async () => {
    model = await startLlmPeer();
  });
  afterAll(async () => {
    await model[Symbol.asyncDispose]();
  });
  beforeEach(() => model.forget());

  const start = (options: Partial<StartOptions> = {}) =>
    startProxy({ target: model.url, ...options, snapshot: { ...logins(), ...options.snapshot } });
  const ask = async (proxy: RunningProxy, headers: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${proxy.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] }),
    });
    return [answer.status, answer.status === 200 ? undefined : ((await answer.json()) as { error: string }).error];
  };
  const log = ({ spool }: RunningProxy): SpoolRecord | undefined =>
    spool.records.find(({ kind }) => kind === 'request_log');

  test('counts for a group of the user, and goes no further', async () => {
    await using proxy = await start();
    const token = sign();
    const headers = { 'x-session-token': token, authorization: 'Bearer sk-of-the-target' };
    expect(await ask(proxy, headers)).toEqual([200, undefined]);
    const [sent] = model.requests;
    expect(sent?.headers).toMatchObject({ authorization: 'Bearer sk-of-the-target' });
    expect(JSON.stringify(sent)).not.toContain(token);
    expect(log(proxy)).toMatchObject({ status_code: 200, api_key_id: null, user_group_id: 1, user_id: 11 });
  });

  test('stays here beside a key, which comes first, also where the target has its key', async () => {
    await using proxy = await start();
    const token = sign({ secret: 'x'.repeat(40) });
    expect(await ask(proxy, { 'x-api-key': goodKey, 'x-session-token': token })).toEqual([200, undefined]);
    expect(log(proxy)).not.toHaveProperty('user_id', ada.id);
    const login = sign();
    expect(await ask(proxy, { 'x-api-key': goodKey, authorization: `Bearer ${login}` })).toEqual([200, undefined]);
    const ofTarget = sign().replace(
      /^[^.]+\.[^.]+/,
      `${btoa('{"alg":"HS256"}')}.${btoa('{"aud":"target"}')}`.replaceAll('=', ''),
    );
    expect(await ask(proxy, { 'x-api-key': goodKey, authorization: `Bearer ${ofTarget}` })).toEqual([200, undefined]);
    expect(model.requests).toHaveLength(3);
    expect(model.requests.at(-1)?.headers).toMatchObject({ authorization: `Bearer ${ofTarget}` });
    for (const kept of [token, login]) expect(JSON.stringify(model.requests)).not.toContain(kept);
  });

  const token = sign();
  test.each([
    ['with a scheme', `Bearer ${token}`],
    ['in quotes', `"${token}"`],
    ['twice', `${token}, ${token}`],
    ['in a cookie', `token=${token}`],
    ['of one part', 'opaque'],
    ['that is empty', ''],
  ])('is refused: one %s, whatever stands beside it', async (_, given) => {
    await using proxy = await start();
    for (const key of [{}, { 'x-api-key': goodKey }, { authorization: `Bearer ${goodKey}` }]) {
      expect(await ask(proxy, { ...key, 'x-session-token': given })).toEqual([401, 'Invalid or expired token']);
    }
    expect(model.requests).toEqual([]);
    expect(JSON.stringify(proxy.spool.records)).not.toContain(token);
  });

  test.each<[string, string, Partial<Snapshot>]>([
    ['of another secret', sign({ secret: 'x'.repeat(40) }), {}],
    ['that has expired', sign({ lifetimeMs: -60_000 }), {}],
    ['of a session that has ended', sign({ sessionId: randomUUID() }), {}],
    ['that was exchanged', sign({ tokenId: randomUUID() }), {}],
    ['of another user in the same session', sign({ userId: 12 }), {}],
    ['of a user who is not active', sign(), logins({ user: { active: false } })],
    ['without a signature', sign().replace(/[^.]+$/, 'AAAA'), {}],
  ])('is refused: one %s', async (_, token, snapshot) => {
    await using proxy = await start({ snapshot });
    expect(await ask(proxy, { 'x-session-token': token })).toEqual([401, 'Invalid or expired token']);
    expect(model.requests).toEqual([]);
    expect(JSON.stringify(proxy.spool.records)).not.toContain(token);
  });

  test('is refused until a password that was made up is changed, except to who never had it', async () => {
    await using proxy = await start({ snapshot: logins({ user: { mustChangePassword: true } }) });
    const { provider: _provider, ...own } = ids;
    const withPassword = createTokens(explainSecret).sign(
      { ...ada, role: 'user' },
      own,
      Date.now(),
      Date.now() + 60_000,
    );
    expect(await ask(proxy, { 'x-session-token': withPassword })).toEqual([401, 'Invalid or expired token']);
    expect(await ask(proxy, { 'x-session-token': sign() })).toEqual([200, undefined]);
  });

  test.each<[string, readonly number[], number]>([
    ['no group', [], 403],
    ['a group without access', [3], 403],
    ['an inactive group', [2], 401],
    ['one of several with access', [2, 3, 1], 200],
  ])('of a user of %s', async (_, groups, status) => {
    await using proxy = await start({ snapshot: logins({ groups }) });
    expect((await ask(proxy, { 'x-session-token': sign() }))[0]).toBe(status);
  });

  test('fills the variables of a system prompt', async () => {
    const content = '{{.User}} <{{.UserEmail}}> of {{.Organization}}, {{.UserGroup}}';
    const teamPrompt = { id: 1, name: 'who', active: true, parsed: parseTemplate(content) };
    await using proxy = await start({ teamPrompt });
    expect(await ask(proxy, { 'x-session-token': sign() })).toEqual([200, undefined]);
    expect(model.requests.at(-1)?.body).toContain('ada <ada@eng.example.com> of eng.example.com, team');
    const audit = proxy.spool.records.find((record) => record.kind === 'audit');
    expect(audit).toMatchObject({ event_type: 'system_prompt.injected', actor_type: 'user', actor_id: 11 });
  });
});
