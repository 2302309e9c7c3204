import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createApiKey,
  getApiKey,
  listApiKeys,
  listKeyCallers,
  rotateApiKey,
  updateApiKey,
} from '@portcullis/contracts/routes/api-keys';
import { listAuditLogs } from '@portcullis/contracts/routes/audit';
import { listBudgets, raiseBudget, setKeyBudget } from '@portcullis/contracts/routes/budget-list';
import { listProxies } from '@portcullis/contracts/routes/proxies';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { createUser } from '@portcullis/contracts/routes/users';
import { record, requestLogRecord } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const minuteMs = 60_000;

describe.each(stores)('the rotation of an API key (%s)', (store) => {
  let management: TestManagement;
  let group: { id: number };
  beforeAll(async () => {
    management = await startManagement(store);
    group = await management.admin.data(createUserGroup, { body: { name: 'team' } });
  });
  afterAll(() => management.stop());

  const create = (fields: object = {}) =>
    management.admin.data(createApiKey, { body: { user_group_id: group.id, name: 'agents', ...fields } });
  const rotate = (id: number, body: object = {}) => management.admin.data(rotateApiKey, { params: { id }, body });
  const statusOf = (key: string) => management.anonymous.withKey(key).status(listProxies);

  test('gives a key that counts beside the old one until the overlap is over', async () => {
    const old = await create({ description: 'Of the coding agents' });
    const { api_key: fresh, replaced, key } = await rotate(old.api_key.id, { overlap_minutes: 30 });
    expect(fresh).toMatchObject({ name: 'agents', description: 'Of the coding agents', user_group_id: group.id });
    expect(fresh).toMatchObject({ rotated_from: old.api_key.id, expires_at: null, request_count: 0 });
    expect(replaced).toMatchObject({ id: old.api_key.id, rotated_to: fresh.id, active: true });
    const endsInMs = Date.parse(replaced.expires_at ?? '') - Date.now();
    expect(Math.abs(endsInMs - 30 * minuteMs)).toBeLessThan(minuteMs);
    expect([await statusOf(old.key), await statusOf(key)]).toEqual([200, 200]);
    expect(await management.admin.data(listAuditLogs, { query: { event_type: 'apikey.rotated' } })).toMatchObject({
      logs: [{ resource: { id: String(old.api_key.id) }, severity: 'warning' }],
    });
  });

  test('ends the old one at once without an overlap', async () => {
    const old = await create();
    const { key } = await rotate(old.api_key.id, { overlap_minutes: 0, expires_in_minutes: 5 });
    expect([await statusOf(old.key), await statusOf(key)]).toEqual([401, 200]);
    // Who presents the key itself is told what happened to it.
    expect(await management.anonymous.withKey(old.key).refusal(listProxies)).toMatchObject({
      error: 'Invalid API key',
      message: expect.stringMatching(
        /^The API key "agents" was revoked: it was rotated, and API key \d+ took its place$/,
      ),
    });
    const unknown = await management.anonymous.withKey('gw_unknown').refusal(listProxies);
    expect(unknown.message).toBeUndefined();
  });

  test('never lets a key live longer than it would have', async () => {
    const old = await create({ expires_in_minutes: 10 });
    const { replaced } = await rotate(old.api_key.id, { overlap_minutes: 1_000 });
    expect(replaced.expires_at).toBe(old.api_key.expires_at);
  });

  test('makes no key without an end out of one that had an end', async () => {
    const old = await create({ expires_in_days: 90 });
    const { api_key: fresh } = await rotate(old.api_key.id, { overlap_minutes: 5 });
    const livesMs = Date.parse(fresh.expires_at ?? '') - Date.now();
    expect(Math.abs(livesMs - 90 * 1_440 * minuteMs)).toBeLessThan(minuteMs);
    const { api_key: longer } = await rotate(fresh.id, { expires_in_days: 180 });
    expect(Date.parse(longer.expires_at ?? '') - Date.now()).toBeGreaterThan(179 * 1_440 * minuteMs);
  });

  test('is refused where a key has a successor, or counts no more', async () => {
    const old = await create();
    const { api_key: fresh } = await rotate(old.api_key.id, { overlap_minutes: 0 });
    const { id } = old.api_key;
    expect(await management.admin.refusal(rotateApiKey, { params: { id }, body: {} })).toMatchObject({
      status: 409,
      message: `API key ${id} has been rotated already: API key ${fresh.id} took its place`,
    });
    expect(await management.admin.status(rotateApiKey, { params: { id: 999_999 }, body: {} })).toBe(404);
    const both = { expires_in_days: 1, expires_in_minutes: 1 };
    expect(await management.admin.refusal(rotateApiKey, { params: fresh, body: both })).toMatchObject({
      status: 400,
      problems: [{ path: '/expires_in_minutes' }],
    });
  });

  test('keeps the owner, by whom keys are listed', async () => {
    const { user } = await management.admin.data(createUser, {
      body: { username: 'ada', password: 'Ada-Password-1234', role: 'viewer' },
    });
    const { api_key: old } = await create({ owner_id: user.id });
    expect(old).toMatchObject({ owner_id: user.id, owner: 'ada' });
    const { api_key: fresh } = await rotate(old.id);
    const owned = await management.admin.data(listApiKeys, { query: { owner_id: user.id } });
    expect(owned.map(({ id }) => id)).toEqual([old.id, fresh.id]);
    const change = { params: fresh, body: { owner_id: null } };
    expect(await management.admin.data(updateApiKey, change)).toMatchObject({ owner: null });
    expect(await management.admin.data(listApiKeys, { query: { owner_id: user.id, unused_days: 1 } })).toEqual([]);
    const refusal = { status: 404, message: 'There is no user 999999' };
    const unknown = { user_group_id: group.id, owner_id: 999_999 };
    expect(await management.admin.refusal(createApiKey, { body: unknown })).toMatchObject(refusal);
    const given = { params: fresh, body: { owner_id: 999_999 } };
    expect(await management.admin.refusal(updateApiKey, given)).toMatchObject(refusal);
  });

  test('keeps the budgets, with what they are raised by', async () => {
    const { api_key: old } = await create();
    const budget = { amount: 5, block_at_threshold: true };
    await management.admin.data(setKeyBudget, { params: { id: old.id, period: 'day' }, body: budget });
    const raise = { level: 'api_key', subject_id: old.id, period: 'day', amount: 2, reason: 'Release' } as const;
    await management.admin.data(raiseBudget, { body: raise });
    const { api_key: fresh } = await rotate(old.id);
    const budgets = await management.admin.data(listBudgets, { query: { level: 'api_key' } });
    expect(budgets.filter(({ id }) => id === fresh.id)).toMatchObject([
      { period: 'day', limit: 7, raised_by: 2, spent: 0, block_at_threshold: true },
    ]);
  });

  test('keeps the scopes, which admins change', async () => {
    const scopes = { allowed_models: ['gpt-4o*'], allowed_tools: [], allowed_agents: null };
    const { api_key: old } = await create(scopes);
    expect(old).toMatchObject(scopes);
    const { api_key: fresh } = await rotate(old.id);
    expect(fresh).toMatchObject(scopes);
    const change = { allowed_models: null, allowed_agents: ['planner'] };
    expect(await management.admin.data(updateApiKey, { params: fresh, body: change })).toMatchObject({
      ...scopes,
      ...change,
    });
    const tooMany = { allowed_tools: Array.from({ length: 201 }, () => 'a') };
    expect(await management.admin.refusal(updateApiKey, { params: fresh, body: tooMany })).toMatchObject({
      status: 400,
      message: expect.stringContaining('allowed_tools'),
    });
  });

  test('shows who still uses a key', async () => {
    const { api_key: key } = await create();
    const request = (minutes: number, fields: object) =>
      requestLogRecord({
        api_key_id: key.id,
        timestamp: new Date(Date.now() - minutes * minuteMs).toISOString(),
        ...fields,
      });
    await record(management.infrastructure, [
      request(1, { client_ip: '203.0.113.1', user_agent: 'old-agent/1' }),
      request(2, { client_ip: '203.0.113.2', user_agent: 'old-agent/1' }),
      request(3, { client_ip: '203.0.113.1', user_agent: 'old-agent/1' }),
      request(60 * 30, { client_ip: '203.0.113.3' }),
      requestLogRecord({ api_key_id: key.id + 1 }),
    ]);
    const { callers, searched_from: from } = await management.admin.data(listKeyCallers, { params: key });
    expect(callers.map(({ client_ip: ip, requests }) => [ip, requests])).toEqual([
      ['203.0.113.1', 2],
      ['203.0.113.2', 1],
    ]);
    expect(from).toBeNull();
    expect(await management.admin.status(listKeyCallers, { params: { id: 999_999 } })).toBe(404);
    expect(await management.admin.data(getApiKey, { params: key })).toMatchObject({ rotated_to: null });
  });
});
