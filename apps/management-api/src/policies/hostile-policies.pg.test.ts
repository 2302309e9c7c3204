import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPolicy, getPolicy, listPolicies, validatePolicy } from '@portcullis/contracts/routes/policies';
import { analysePatterns, testPolicy } from '@portcullis/contracts/routes/policy-tests';
import { togglePolicy } from '@portcullis/contracts/routes/policy-versions';
import { examplePolicy } from '../../test/example-policy.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';
import { createPolicyChecker } from './policy-checker.ts';

/** Compiling it takes the engine longer than a minute. */
const pattern = { regex: `${'[a-z]?'.repeat(90)}zqabc`, flags: 'i' };
const document = { name: 'hostile', rules: [{ id: 'a', patterns: [pattern] }] };
const problems = [{ rule: expect.stringContaining('parts that may be left out') }];

describe.each(stores)('policies that would hold up the gateway (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  test('are refused wherever they come in, and no other request waits for them', async () => {
    const { admin } = management;
    expect(
      await admin.data(analysePatterns, { body: { patterns: Array.from({ length: 100 }, () => pattern) } }),
    ).toMatchObject({
      patterns: Array.from({ length: 100 }, () => ({ valid: false, verdict: 'refused' })),
    });
    expect(await admin.data(validatePolicy, { body: { document } })).toMatchObject({ valid: false, problems });
    expect(await admin.refusal(createPolicy, { body: { document } })).toMatchObject({ problems });
    expect(await admin.refusal(testPolicy, { body: { policy: document, test_content: ['x'] } })).toMatchObject({
      problems,
    });
  });

  test('viewers run no patterns', async () => {
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    expect(await viewer.status(analysePatterns, { body: { patterns: ['a'] } })).toBe(403);
    expect(await viewer.status(validatePolicy, { body: { document } })).toBe(403);
  });

  test('a stored one is switched off with the reason, and the next start succeeds', async () => {
    const { admin, infrastructure } = management;
    const { id } = await admin.data(createPolicy, { body: { document: examplePolicy('stored') } });
    const rules = [{ id: 'a', name: 'a', severity: 'High', action: 'block', patterns: [pattern] }];
    await infrastructure.database.kysely
      .updateTable('policies')
      .set({ document: JSON.stringify({ ...examplePolicy('stored'), rules }) })
      .where('id', '=', id)
      .execute();

    await management.addReplica();
    expect(await admin.data(getPolicy, { params: { id } })).toMatchObject({
      active: false,
      inactive_reason: expect.stringContaining('parts that may be left out'),
    });
    expect(await admin.status(togglePolicy, { params: { name: 'stored' } })).toBe(400);
    const others = (await admin.data(listPolicies)).filter((policy) => policy.id !== id);
    expect(others.every(({ inactive_reason: reason }) => reason === null)).toBe(true);
  });
});

describe('the thread that checks policies', () => {
  test('is ended when an answer takes too long, and answers the next question', async () => {
    await using hasty = createPolicyChecker({ deadlineMs: 0 });
    await expect(hasty.ask('parse', document)).rejects.toThrow('took longer');
    await using checker = createPolicyChecker();
    const answers = await Promise.all([checker.ask('analyse', ['abc']), checker.ask('parse', examplePolicy('x'))]);
    expect(answers).toMatchObject([[{ valid: true }], { policy: { name: 'x' } }]);
  });

  test('refuses questions when too many wait', async () => {
    await using checker = createPolicyChecker();
    const asked = Array.from({ length: 32 }, () => checker.ask('analyse', ['abc']));
    expect(() => checker.ask('analyse', ['abc'])).toThrow('Too many policies');
    await Promise.all(asked);
  });
});
