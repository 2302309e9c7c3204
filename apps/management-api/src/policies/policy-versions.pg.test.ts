import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createPolicy,
  getPolicy,
  listPolicies,
  updatePolicy,
  validatePolicy,
} from '@portcullis/contracts/routes/policies';
import { analysePatterns, testPolicy } from '@portcullis/contracts/routes/policy-tests';
import {
  copyPolicy,
  exportPolicy,
  getPolicyVersion,
  listPolicyVersions,
  rollBackPolicy,
  togglePolicy,
} from '@portcullis/contracts/routes/policy-versions';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { addProxyPolicy, listProxyPolicies, replaceProxyPolicies } from '@portcullis/contracts/routes/proxy-policies';
import { examplePolicy } from '../../test/example-policy.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('the life of a policy (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  const create = (name: string) => management.admin.data(createPolicy, { body: { document: examplePolicy(name) } });
  const save = (params: { id: number; name: string }, pattern: string, revision?: number) =>
    management.admin.data(updatePolicy, {
      params,
      body: { document: examplePolicy(params.name, pattern), ...(revision !== undefined && { revision }) },
    });

  test('keeps every document with who and when, and brings one back', async () => {
    const created = await create('kept');
    expect(created).toMatchObject({ revision: 1, saved_by: 'admin' });
    expect(await save(created, 'samarkand')).toMatchObject({ revision: 2 });
    expect(await save(created, 'samarkand')).toMatchObject({ revision: 2 });
    const params = { name: 'kept' };
    expect(await management.admin.data(listPolicyVersions, { params })).toMatchObject({
      versions: [
        { revision: 2, saved_by: 'admin' },
        { revision: 1, saved_by: 'admin' },
      ],
      total: 2,
    });
    expect(await management.admin.data(listPolicyVersions, { params, query: { limit: 1, offset: 1 } })).toMatchObject({
      versions: [{ revision: 1 }],
      total: 2,
    });
    const first = await management.admin.data(getPolicyVersion, { params: { ...params, revision: 1 } });
    expect(first.document).toEqual(created.document);

    const back = await management.admin.data(rollBackPolicy, { params, body: { revision: 1 } });
    expect(back).toMatchObject({ revision: 3, document: created.document });
    expect(await management.admin.status(rollBackPolicy, { params, body: { revision: 9 } })).toBe(404);
    expect(await management.admin.status(getPolicyVersion, { params: { name: 'none', revision: 1 } })).toBe(404);
  });

  test('loses no concurrent edit', async () => {
    const read = await create('contested');
    await save(read, 'samarkand', read.revision);
    expect(
      await management.admin.refusal(updatePolicy, {
        params: read,
        body: { document: examplePolicy('contested', 'bukhara'), revision: read.revision },
      }),
    ).toMatchObject({
      status: 409,
      message: 'The policy is at revision 2 by now, saved by admin. Nothing was changed',
    });
    expect(await management.admin.data(getPolicy, { params: read })).toMatchObject({
      document: { rules: [{ patterns: ['samarkand'] }] },
    });
  });

  test('keeps the last 50 documents', async () => {
    const policy = await create('busy');
    const { kysely } = management.infrastructure.database;
    for (let edit = 1; edit <= 60; edit += 1) {
      const document = JSON.stringify({ ...policy.document, description: `edit ${edit}` });
      await kysely.updateTable('policies').set({ document }).where('id', '=', policy.id).execute();
    }
    const { versions, total } = await management.admin.data(listPolicyVersions, { params: { name: 'busy' } });
    expect([total, versions[0]?.revision, versions.at(-1)?.revision]).toEqual([50, 61, 12]);
  });

  test('is switched, copied and exported; built-in ones can be copied, not rolled back', async () => {
    const [builtin] = await management.admin.data(listPolicies);
    const params = { name: builtin?.name ?? '' };
    const toggled = await management.admin.data(togglePolicy, { params });
    expect(toggled).toMatchObject({ active: false, revision: 1 });
    expect(await management.admin.data(togglePolicy, { params, body: { active: true } })).toMatchObject({
      active: true,
    });
    expect(await management.admin.status(rollBackPolicy, { params, body: { revision: 1 } })).toBe(409);

    const copy = await management.admin.data(copyPolicy, { params, body: { name: 'my own' } });
    expect(copy).toMatchObject({ name: 'my own', builtin: false, document: { ...builtin?.document, name: 'my own' } });
    expect(await management.admin.status(copyPolicy, { params, body: { name: 'my own' } })).toBe(409);

    const response = await fetch(`${management.origin}/api/v1/policies/my%20own/file`, {
      headers: { authorization: `Bearer ${management.adminToken}` },
    });
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="my_own.json"');
    expect(await response.json()).toEqual(copy.document);
    expect(await management.admin.status(exportPolicy, { params: { name: 'none' } })).toBe(404);
  });

  test('is assigned in shadow mode, and stays so when the list is written anew', async () => {
    await create('tried out');
    const proxy = await management.admin.data(createProxy, {
      body: { name: 'p', type: 'llm', target: 'http://127.0.0.1:9', port: 24_300, policy_names: ['kept'] },
    });
    const params = { id: proxy.id, policyName: 'tried out' };
    const modes = async () => {
      const { available_policies: policies } = await management.admin.data(listProxyPolicies, { params: proxy });
      return policies.filter(({ assigned }) => assigned).map(({ name, mode }) => [name, mode]);
    };
    await management.admin.data(addProxyPolicy, { params, body: { mode: 'shadow' } });
    expect(await modes()).toEqual([
      ['kept', 'enforce'],
      ['tried out', 'shadow'],
    ]);
    await management.admin.data(addProxyPolicy, { params });
    await management.admin.data(replaceProxyPolicies, { params: proxy, body: { policy_names: ['tried out'] } });
    expect(await modes()).toEqual([['tried out', 'shadow']]);
    await management.admin.data(addProxyPolicy, { params, body: { mode: 'enforce' } });
    expect(await modes()).toEqual([['tried out', 'enforce']]);
    expect(await management.admin.status(addProxyPolicy, { params, body: { mode: 'maybe' } })).toBe(400);
  });

  test('is tried on samples without being stored, with places, decisions and what would be redacted', async () => {
    const policy = {
      name: 'sample',
      rules: [
        { id: 'EMAIL', patterns: ['[a-z]+@house\\.example'], action: 'redact' },
        { id: 'word', patterns: [{ literal: 'zanzibar' }], action: 'block', severity: 'high' },
      ],
    };
    const { results, report } = await management.admin.data(testPolicy, {
      body: { policy, policy_names: ['kept'], test_content: ['to amy@house.example', 'ZANZIBAR', 'nothing'] },
    });
    expect(report).toMatchObject({ rules: 3, patterns: 3 });
    expect(results).toMatchObject([
      {
        index: 0,
        action: 'redact',
        findings: [{ policy_name: 'sample', rule_id: 'EMAIL', type: 'EMAIL', start: 3, end: 20, view: 'plain' }],
        redacted: 'to <EMAIL_1>',
      },
      { index: 1, action: 'block', findings: [{ rule_id: 'word', severity: 'High' }], redacted: null },
      { index: 2, action: 'pass', findings: [], findings_total: 0 },
    ]);
    expect(JSON.stringify(results)).not.toContain('amy@');
  });

  test('is tried in each shape in which other routes take it', async () => {
    const stored = await management.admin.data(getPolicy, { params: { id: 'kept' } });
    const { document, id, name } = stored;
    for (const policy of [document, { document }, { ...stored }, id, String(id), name]) {
      const { report } = await management.admin.data(testPolicy, { body: { policy, test_content: ['x'] } });
      expect(report).toMatchObject({ rules: 1 });
    }
    const byId = await management.admin.data(testPolicy, { body: { policy_names: [id], test_content: ['x'] } });
    expect(byId.report).toMatchObject({ rules: 1 });
    expect(byId.results[0]?.duration_us).toBe(Math.round(byId.results[0]?.duration_us ?? 0.5));
    expect(await management.admin.refusal(testPolicy, { body: { policy: 'kep', test_content: ['x'] } })).toMatchObject({
      problems: [{ path: '/body/policy', rule: 'must name a policy: there is no "kep"; did you mean "kept"?' }],
    });
  });

  test('tests are bounded, and name what is wrong', async () => {
    const refusal = (body: object) => management.admin.refusal(testPolicy, { body });
    const policy = examplePolicy('sample');
    expect(await refusal({ test_content: ['x'] })).toMatchObject({ problems: [{ path: '/body/policy' }] });
    expect(await refusal({ policy, test_content: [] })).toMatchObject({ status: 400 });
    expect(await refusal({ policy: { name: 'x' }, test_content: ['x'] })).toMatchObject({
      problems: [{ path: '/body/policy/rules' }],
    });
    expect(await refusal({ policy_names: ['none'], test_content: ['x'] })).toMatchObject({
      problems: [{ path: '/body/policy_names/0', rule: 'must name a policy: there is no "none"' }],
    });
    expect(
      await refusal({ policy, test_content: Array.from({ length: 11 }, () => 'x'.repeat(100_000)) }),
    ).toMatchObject({ problems: [{ path: '/body/test_content' }] });
  });

  test('validation and the analysis of patterns tell how a policy would run', async () => {
    const document = { name: 'x', rules: [{ id: 'a', patterns: ['\\w{9,12}', 'secret.{0,20}end'] }] };
    expect(await management.admin.data(validatePolicy, { body: { document } })).toMatchObject({
      valid: true,
      report: { rules: 1, patterns: 2, unanchored: [{ ruleId: 'a', place: '/patterns/0' }] },
    });
    const { patterns } = await management.admin.data(analysePatterns, {
      body: { patterns: ['secret.{0,20}end', { literal: 'word' }, '\\w{9,12}', '(unclosed', 7] },
    });
    expect(patterns).toMatchObject([
      { valid: true, verdict: 'fast', bounded: true, max_length: 29 },
      { valid: true, verdict: 'fast', literals: ['word'] },
      { valid: true, verdict: 'everywhere' },
      { valid: false, verdict: 'refused', reason: expect.any(String) },
      { pattern: 7, valid: false, verdict: 'refused' },
    ]);
  });
});
