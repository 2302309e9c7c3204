import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listAuditLogs } from '@portcullis/contracts/routes/audit';
import { createPolicy, deletePolicy, getPolicy, updatePolicy } from '@portcullis/contracts/routes/policies';
import { getPolicySchema, listPolicyDetectors } from '@portcullis/contracts/routes/policy-language';
import {
  listPolicySamples,
  replacePolicySamples,
  runPolicySamples,
  type PolicySample,
} from '@portcullis/contracts/routes/policy-samples';
import { rollBackPolicy } from '@portcullis/contracts/routes/policy-versions';
import { examplePolicy } from '../../test/example-policy.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const samples: PolicySample[] = [
  { name: 'the word', text: 'to zanzibar', expected: 'block' },
  { name: 'another word', text: 'to samarkand', expected: 'pass', direction: 'response', protocol: 'mcp' },
];

describe.each(stores)('samples of a policy (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  const create = async (name: string) => {
    const { id } = await management.admin.data(createPolicy, { body: { document: examplePolicy(name) } });
    return { params: { id, name } };
  };
  const run = { total: 2, failed: 0 };

  test('are empty until some are stored, and go with the policy', async () => {
    const { params } = await create('sampled');
    expect(await management.admin.data(listPolicySamples, { params })).toEqual({
      samples: [],
      updated_at: null,
      updated_by: null,
    });
    expect(await management.admin.data(runPolicySamples, { params })).toEqual({ total: 0, failed: 0, results: [] });
    const stored = await management.admin.data(replacePolicySamples, { params, body: { samples } });
    expect(stored).toMatchObject({ samples: { samples, updated_by: 'admin' }, run });
    expect(await management.admin.data(listPolicySamples, { params })).toEqual(stored.samples);
    const { logs } = await management.admin.data(listAuditLogs, { query: { event_type: 'policy.samples.updated' } });
    expect(logs).toMatchObject([{ resource: { name: 'sampled' }, details: { before: 0, after: 2 } }]);
    expect(JSON.stringify(logs)).not.toContain('zanzibar');
    await management.admin.data(deletePolicy, { params });
    expect(await management.admin.status(listPolicySamples, { params })).toBe(404);
  });

  test('a document with which one fails is not saved, unless that is said', async () => {
    const { params } = await create('guarded');
    await management.admin.data(replacePolicySamples, { params, body: { samples } });
    const body = { document: examplePolicy('guarded', 'samarkand') };
    const failing = { total: 2, failed: 2 };
    const refusal = await management.admin.refusal(updatePolicy, { params, body });
    expect(refusal).toMatchObject({
      status: 409,
      message: expect.stringContaining('"the word"'),
      data: {
        sample_run: {
          ...failing,
          results: [
            { name: 'the word', expected: 'block', actual: 'pass', passed: false, rules: [] },
            { name: 'another word', expected: 'pass', actual: 'block', passed: false, rules: ['word'] },
          ],
        },
      },
    });
    expect(await management.admin.data(getPolicy, { params })).toMatchObject({ revision: 1 });
    expect(await management.admin.data(runPolicySamples, { params, body })).toMatchObject(failing);

    const allowed = await management.admin.data(updatePolicy, {
      params,
      body: { ...body, allow_failing_samples: true },
    });
    expect(allowed).toMatchObject({ revision: 2, sample_run: failing });
    // The way back stays open.
    expect(await management.admin.data(rollBackPolicy, { params, body: { revision: 1 } })).toMatchObject({
      revision: 3,
      sample_run: run,
    });
    expect(await management.admin.data(updatePolicy, { params, body: { active: false } })).toMatchObject({
      sample_run: null,
    });
  });

  test.each<[string, object[], string]>([
    ['a name twice', [samples[0] ?? {}, samples[0] ?? {}], '/body/samples/1/name'],
    ['no text', [{ name: 'a', text: '', expected: 'pass' }], '/body/samples/0/text'],
    ['an unknown verdict', [{ name: 'a', text: 'a', expected: 'perhaps' }], '/body/samples/0/expected'],
    [
      'too much text',
      Array.from({ length: 11 }, (_, at) => ({ name: `${at}`, text: 'x'.repeat(20_000), expected: 'pass' })),
      '/body/samples',
    ],
  ])('%s is refused', async (_what, given, path) => {
    const { params } = await create(`refused ${path} ${given.length} ${JSON.stringify(given).length}`);
    const refusal = await management.admin.refusal(replacePolicySamples, { params, body: { samples: given } });
    expect(refusal).toMatchObject({ status: 400, problems: [{ path }] });
  });

  test('the schema and the detectors are told to viewers', async () => {
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    expect(await viewer.data(getPolicySchema)).toMatchObject({ type: 'object', required: ['name', 'rules'] });
    const detectors = await viewer.data(listPolicyDetectors);
    expect(detectors).toContainEqual(expect.objectContaining({ name: 'payment-card', kind: 'pattern' }));
    expect(detectors.map(({ name }) => name)).toEqual(detectors.map(({ name }) => name).toSorted());
    const body = {
      document: {
        ...examplePolicy('detecting'),
        rules: [{ id: 'any', detectors: detectors.map(({ name }) => name).slice(0, 50), action: 'monitor' }],
      },
    };
    expect(await management.admin.data(createPolicy, { body })).toMatchObject({ name: 'detecting' });
    expect(await viewer.status(replacePolicySamples, { params: { name: 'detecting' }, body: { samples } })).toBe(403);
    expect(await viewer.status(runPolicySamples, { params: { name: 'none' } })).toBe(403);
  });
});
