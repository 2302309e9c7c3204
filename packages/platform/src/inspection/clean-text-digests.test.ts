import { expect, jest, test } from '@jest/globals';
import type { PolicyConditions } from '@portcullis/contracts/policy-file';
import { compilePolicies } from '@portcullis/core/policy/compile/compile-policies';
import type { Policy, PolicyPlan } from '@portcullis/core/policy/policy';
import type { LocatedFinding } from '../traffic/located-finding.ts';
import { CleanTextDigests } from './clean-text-digests.ts';
import { RequestScan } from './request-scan.ts';
import { TextContext, workOfBody, type TextFacts } from './text-context.ts';
import { compileTrust } from './text-source.ts';

const facts: TextFacts = {
  direction: 'request',
  protocol: 'llm',
  model: 'm',
  path: '/',
  origins: compileTrust('llm', undefined),
  sourceAt: (place) => (place[0] === 'tool' ? 'tool' : 'user'),
  roleAt: () => 'user',
  toolAt: () => undefined,
};

const compile = (conditions: PolicyConditions = {}): PolicyPlan => {
  const policy: Policy = {
    name: 'cave',
    version: '1',
    description: '',
    severity: 'High',
    policy_type: 'both',
    rules: [
      {
        id: 'SESAME',
        name: 'Sesame',
        severity: 'High',
        enabled: true,
        patterns: ['open sesame'],
        action: 'block',
        conditions,
      },
    ],
  };
  return compilePolicies([policy]);
};

const long = 'Once upon a time there was a cave. '.repeat(100);

/** How often the plan reads a text while the values are looked through one after the other, and how many findings there are. */
function readAll(plan: PolicyPlan, values: readonly unknown[]) {
  const scan = jest.spyOn(plan, 'scan');
  const findings: never[] = [];
  for (const value of values)
    new RequestScan(plan, new TextContext(facts, workOfBody()), findings).scanValue({ value });
  const reads = scan.mock.calls.filter(([text]) => text.length >= 2_048).length;
  scan.mockRestore();
  return { reads, findings: findings.length };
}

test('a long text in which nothing was found is read once where it stands', () => {
  const plan = compile();
  expect(readAll(plan, [{ a: long }, { a: long, b: 'more' }, { a: long }])).toEqual({ reads: 1, findings: 0 });
  expect(readAll(plan, [{ b: long }, { tool: long }])).toEqual({ reads: 2, findings: 0 });
});

test('another plan reads it anew', () => {
  expect(readAll(compile(), [{ a: long }])).toEqual({ reads: 1, findings: 0 });
});

test('what was found is found every time', () => {
  const said = `${long}open sesame`;
  expect(readAll(compile(), [{ a: said }, { a: said }, { a: said }])).toEqual({ reads: 3, findings: 3 });
});

test('a declared file is read each time: as a text the same characters may say something else', () => {
  const data = Buffer.from(long).toString('base64');
  const file = { type: 'base64', media_type: 'image/png', data };
  const plan = compile();
  readAll(plan, [{ a: file }]);
  expect(readAll(plan, [{ a: { type: 'text', data } }]).reads).toBe(1);
});

test('halves of surrogate pairs are told apart', () => {
  const read = readAll(
    compile(),
    ['\ufffd', '\ud800', '\udc00', '\ud800'].map((half) => ({ a: `${long}${half}` })),
  );
  expect(read).toEqual({ reads: 3, findings: 0 });
});

test.each<PolicyConditions>([{ tools: ['1'] }, { pointers: ['/tools/1/*'] }])(
  'a name that is clean in the definition of one tool is read in that of another: %j',
  (conditions) => {
    const context = new TextContext({ ...facts, toolAt: (place) => String(place[1]) }, workOfBody());
    const findings: LocatedFinding[] = [];
    const value = { tools: [{ 'open sesame': 1 }, { 'open sesame': 1 }] };
    new RequestScan(compile(conditions), context, findings).scanValue({ value });
    expect(findings).toMatchObject([{ location: '/tools/1/open sesame' }]);
  },
);

test('the text that was not met for longest is forgotten', () => {
  const texts = new CleanTextDigests(2);
  texts.add('a');
  texts.add('b');
  expect(texts.has('a')).toBe(true);
  texts.add('c');
  expect([texts.has('a'), texts.has('b'), texts.has('c'), texts.has(undefined)]).toEqual([true, false, true, false]);
});
