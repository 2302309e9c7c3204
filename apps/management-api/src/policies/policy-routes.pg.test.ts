import { policyTypes } from '@portcullis/contracts/policy-file';
import { saveBuiltinPolicies } from '@portcullis/platform/policies/save-builtin-policies';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createPolicy,
  deletePolicy,
  getPolicy,
  listPolicies,
  updatePolicy,
  validatePolicy,
} from '@portcullis/contracts/routes/policies';
import { createProxy, getProxy } from '@portcullis/contracts/routes/proxies';
import { builtinPolicies } from '@portcullis/core/policy/builtin/builtin-policies';
import { silentLog } from '@portcullis/platform/test/test-database';
import { examplePolicy } from '../../test/example-policy.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const unknown = { id: 999_999 };

describe.each(stores)('policies (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());
  const create = (name: string) => management.admin.data(createPolicy, { body: { document: examplePolicy(name) } });
  const builtin = async () => {
    const [policy] = await management.admin.data(listPolicies);
    if (policy === undefined) throw new Error('There is no built-in policy');
    return policy;
  };

  test('come with the built-in ones, switched on', async () => {
    const policies = await management.admin.data(listPolicies);
    expect(policies.filter((policy) => policy.builtin).map(({ name }) => name)).toEqual(
      builtinPolicies.map(({ name }) => name),
    );
    expect(policies.every(({ active }) => active)).toBe(true);
    expect(policies[0]?.document).toEqual(JSON.parse(JSON.stringify(builtinPolicies[0])));
  });

  test('are not overwritten by who has read them before they changed', async () => {
    const policy = await create('contested');
    const send = (method: string, ifMatch?: string, body?: object) =>
      fetch(`${management.origin}/api/v1/policies/${policy.id}`, {
        method,
        headers: {
          authorization: `Bearer ${management.adminToken}`,
          'content-type': 'application/json',
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const read = (await send('GET')).headers.get('etag') ?? '';
    const first = await send('PUT', read, { document: examplePolicy('contested', 'samarkand') });
    expect(first.status).toBe(200);
    const second = await send('PUT', read, { active: false });
    expect([second.status, await second.json()]).toEqual([
      412,
      expect.objectContaining({
        error_code: 'PRECONDITION_FAILED',
        message: expect.stringContaining('nothing was changed'),
      }),
    ]);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(await management.admin.data(getPolicy, { params: policy })).toMatchObject({ active: true, revision: 2 });
    for (const tag of [`"other", ${first.headers.get('etag')}`, '*', undefined]) {
      const answer = await send('PUT', tag, {});
      expect([answer.status, answer.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"2\.\d+"$/)]);
    }
  });

  test('are created, shown, replaced and switched', async () => {
    const created = await create('mine');
    expect(created).toMatchObject({
      name: 'mine',
      severity: 'High',
      policy_type: 'both',
      builtin: false,
      active: true,
      document: { name: 'mine', rules: [{ id: 'word', patterns: ['zanzibar'] }] },
    });
    expect(await management.admin.data(getPolicy, { params: created })).toEqual(created);
    const replaced = await management.admin.data(updatePolicy, {
      params: created,
      body: { document: { ...examplePolicy('mine', 'samarkand'), version: '2.0' } },
    });
    expect(replaced).toMatchObject({
      version: '2.0',
      active: true,
      document: { rules: [{ patterns: ['samarkand'] }] },
    });
    const off = await management.admin.data(updatePolicy, { params: created, body: { active: false } });
    expect(off).toMatchObject({ version: '2.0', active: false });
  });

  test.each(policyTypes)('are kept for traffic of the kind %s, and for no kind that is not there', async (type) => {
    const document = { ...examplePolicy(`for-${type}`), policy_type: type };
    const created = await management.admin.data(createPolicy, { body: { document } });
    expect([created.policy_type, (await management.admin.data(getPolicy, { params: created })).policy_type]).toEqual([
      type,
      type,
    ]);
    const other = management.infrastructure.database.kysely
      .updateTable('policies')
      .set({ policy_type: 'http' })
      .where('id', '=', created.id);
    await expect(other.execute()).rejects.toThrow('policies_policy_type_check');
  });

  test('are stored in their normal form, however they are spelled', async () => {
    const document = {
      policyName: 'spelled',
      blockedPatterns: [{ pattern: 'timbuktu', severity: 'high', action: 'block' }],
    };
    const stored = await management.admin.data(createPolicy, { body: { document, active: false } });
    expect(stored).toMatchObject({ name: 'spelled', active: false, document: { name: 'spelled' } });
    expect(stored.document).not.toHaveProperty('blockedPatterns');
  });

  test('that do not parse are refused with the place, and the last good one stays', async () => {
    const good = await create('steady');
    const document = examplePolicy('steady', '(unclosed');
    const refused = {
      status: 400,
      message: expect.stringMatching(
        /^The policy file is not valid. Nothing was changed: document.rules.0.patterns.0 /,
      ),
      problems: [{ path: '/body/document/rules/0/patterns/0', rule: expect.any(String) }],
    };
    expect(await management.admin.refusal(updatePolicy, { params: good, body: { document } })).toMatchObject(refused);
    expect(await management.admin.refusal(createPolicy, { body: { document } })).toMatchObject(refused);
    expect(await management.admin.data(getPolicy, { params: good })).toEqual(good);
    expect(await management.admin.status(createPolicy, { body: { document: 'text' } })).toBe(400);
    const beside = await management.admin.refusal(createPolicy, { body: { document, activ: false, active: 'no' } });
    expect(beside.problems?.map(({ path }) => path)).toEqual(['/body/activ', '/body/active']);
    const bare = await management.admin.data(createPolicy, { body: examplePolicy('as it stands') });
    expect(bare).toMatchObject({ name: 'as it stands', active: true });
    expect(await management.admin.status(createPolicy, { body: {} })).toBe(400);
  });

  test('keep their names, which are unique', async () => {
    const one = await create('one');
    await create('two');
    expect(await management.admin.refusal(createPolicy, { body: { document: examplePolicy('one') } })).toMatchObject({
      status: 409,
      message: 'There is a policy "one" already',
    });
    const rename = { params: one, body: { document: examplePolicy('two') } };
    expect(await management.admin.refusal(updatePolicy, rename)).toMatchObject({
      status: 400,
      problems: [{ path: '/body/document/name', rule: expect.stringContaining('must stay "one"') }],
    });
  });

  test('that are built in can be switched off and stay off, but neither changed nor deleted', async () => {
    const policy = await builtin();
    const { database } = management.infrastructure;
    expect(await management.admin.status(deletePolicy, { params: policy })).toBe(409);
    const body = { document: { ...examplePolicy(policy.name) } };
    expect(await management.admin.status(updatePolicy, { params: policy, body })).toBe(409);

    await management.admin.data(updatePolicy, { params: policy, body: { active: false } });
    await saveBuiltinPolicies(database, silentLog);
    expect(await management.admin.data(getPolicy, { params: policy })).toMatchObject({ active: false });
    await management.admin.data(updatePolicy, { params: policy, body: { active: true } });
  });

  test('that are built in follow the version of the gateway, and change nothing when they are the same', async () => {
    const { database } = management.infrastructure;
    const policy = await builtin();
    const revision = async () =>
      (
        await database.kysely
          .selectFrom('config_changes')
          .select(({ fn }) => fn.max('revision').as('last'))
          .executeTakeFirstOrThrow()
      ).last;
    const before = await revision();
    await saveBuiltinPolicies(database, silentLog);
    expect(await revision()).toBe(before);

    await database.kysely
      .updateTable('policies')
      .set({ version: '0', document: '{}' })
      .where('id', '=', policy.id)
      .execute();
    await saveBuiltinPolicies(database, silentLog);
    expect(await management.admin.data(getPolicy, { params: policy })).toMatchObject({
      version: policy.version,
      document: policy.document,
    });
  });

  test('of the users’ own are never overwritten by a built-in one of the same name', async () => {
    const { database } = management.infrastructure;
    const policy = await builtin();
    await database.kysely
      .updateTable('policies')
      .set({ builtin: false, version: 'own' })
      .where('id', '=', policy.id)
      .execute();
    await saveBuiltinPolicies(database, silentLog);
    expect(await management.admin.data(getPolicy, { params: policy })).toMatchObject({
      version: 'own',
      builtin: false,
    });
    await database.kysely
      .updateTable('policies')
      .set({ builtin: true, version: policy.version })
      .where('id', '=', policy.id)
      .execute();
  });

  test('are taken from every proxy when they are deleted', async () => {
    const policy = await create('short-lived');
    expect(await management.admin.data(getPolicy, { params: { id: 'short-lived' } })).toMatchObject({ id: policy.id });
    expect(await management.admin.refusal(getPolicy, { params: { id: 'short-livd' } })).toMatchObject({
      status: 404,
      message: 'There is no policy "short-livd"; did you mean "short-lived"?',
    });
    const proxy = await management.admin.data(createProxy, {
      body: {
        name: 'p',
        type: 'llm',
        target: 'http://127.0.0.1:9',
        port: 24_001,
        policy_names: ['short-lived', 'llm-secrets'],
      },
    });
    expect(await management.admin.status(deletePolicy, { params: policy })).toBe(200);
    expect(await management.admin.status(deletePolicy, { params: policy })).toBe(404);
    const { policies } = await management.admin.data(getProxy, { params: proxy });
    expect(policies.map(({ name }) => name)).toEqual(['llm-secrets']);
  });

  test('are checked without being stored, plain or wrapped', async () => {
    const operator = management.anonymous.as(await management.signIn('operator'));
    const good = examplePolicy('checked');
    const bad = examplePolicy('checked', '(unclosed');
    for (const body of [good, { document: good }]) {
      expect(await operator.data(validatePolicy, { body })).toMatchObject({
        valid: true,
        problems: [],
        report: { rules: 1 },
      });
    }
    for (const body of [bad, { document: bad }]) {
      expect(await operator.data(validatePolicy, { body })).toEqual({
        valid: false,
        problems: [{ path: '/rules/0/patterns/0', rule: expect.any(String) }],
      });
    }
    expect((await management.admin.data(listPolicies)).map(({ name }) => name)).not.toContain('checked');
    expect(await operator.status(validatePolicy, { body: [] })).toBe(400);
  });

  test('that do not exist answer 404, by id and by name', async () => {
    for (const route of [getPolicy, updatePolicy, deletePolicy]) {
      const body = route === updatePolicy ? { active: true } : undefined;
      expect(await management.admin.status(route, { params: unknown, body })).toBe(404);
      expect(await management.admin.status(route, { params: { id: 'x' }, body })).toBe(404);
    }
  });
});
