import { describe, expect, test } from '@jest/globals';
import type { TextOrigin } from '@portcullis/contracts/policy-file';
import { parsePolicyFile } from '../file/parse-policy-file.ts';
import { originSet } from '../origins.ts';
import { compilePlan, compilePolicies } from './compile-policies.ts';
import { PlanScopes } from '../scope/plan-scope.ts';

const parse = (rules: readonly object[]) => parsePolicyFile({ name: 'p', rules });

function policyWith(...rules: readonly object[]) {
  const { policy, problems } = parse(rules);
  if (policy === undefined) throw new Error(JSON.stringify(problems));
  return policy;
}

const rule = (id: string, origins?: readonly TextOrigin[]) => ({
  id,
  patterns: ['zanzibar'],
  action: 'block',
  origins,
});
const of = (...origins: readonly TextOrigin[]) =>
  ({ direction: 'request', protocol: 'llm', origins: originSet(...origins) }) as const;

describe('rules read the origins that they name', () => {
  const policy = policyWith(
    rule('all'),
    rule('users', ['user', 'document']),
    rule('tools', ['tool_result']),
    rule('definitions', ['tool_definition']),
  );
  const plan = compilePolicies([policy]);
  const found = (context: Parameters<typeof plan.scan>[1]) =>
    plan.scan('off to zanzibar', context).map(({ ruleId }) => ruleId);

  test.each<[readonly TextOrigin[], readonly string[]]>([
    [['user'], ['all', 'users']],
    [['instructions'], ['all']],
    [['assistant'], ['all']],
    [['document'], ['all', 'users']],
    [['tool_result'], ['all', 'tools']],
    [
      ['instructions', 'user'],
      ['all', 'users'],
    ],
    [
      ['tool_definition', 'tool_result'],
      ['all', 'tools', 'definitions'],
    ],
  ])('%j', (origins, ids) => expect(found(of(...origins))).toEqual(ids));

  test('and all of them a text whose origin is not known', () => {
    expect(found({ direction: 'request', protocol: 'llm' })).toEqual(['all', 'users', 'tools', 'definitions']);
  });

  test('also on streams', () => {
    const stream = plan.openStream(of('tool_result'));
    const steps = [...Array.from('off to zanzibar', (char) => stream.push(char)), stream.end()];
    expect(steps.flatMap(({ findings }) => findings.map(({ ruleId }) => ruleId))).toEqual(['all', 'tools']);
  });

  test('so the same text may be harmless from one and not from the other', () => {
    const users = compilePolicies([policyWith(rule('users', ['user']))]);
    const long = `off to zanzibar ${'and on to the coast '.repeat(2_000)}`;
    for (let round = 0; round < 2; round += 1) {
      expect(users.scan(long, of('instructions'))).toEqual([]);
      expect(users.scan(long, of('user'))).toHaveLength(1);
    }
    expect([...users.scanCooperatively(long, of('instructions'))]).toEqual([]);
  });
});

test('texts that the same rules read share what is compiled for them, and others that no rule reads are not read', () => {
  const scopes = new PlanScopes(compilePlan([policyWith(rule('users', ['user', 'document']))]));
  expect(scopes.select(of('user'))).toBe(scopes.select(of('document')));
  expect(scopes.select(of('user')).isEmpty).toBe(false);
  expect(scopes.select(of('assistant')).isEmpty).toBe(true);
});

test('an origin that does not exist is refused with those that do', () => {
  const { problems } = parse([{ ...rule('a'), origins: ['user', 'tool_results', 7] }]);
  const known = 'must be one of instructions, user, context, assistant, tool_result, tool_definition, document';
  expect(problems).toEqual([
    { path: '/rules/0/origins/1', rule: `${known}; did you mean "tool_result"?` },
    { path: '/rules/0/origins/2', rule: known },
  ]);
  expect(parse([{ ...rule('a'), origins: [] }]).problems).toMatchObject([{ path: '/rules/0/origins' }]);
  expect(parse([{ ...rule('a'), origins: 'User' }]).policy?.rules[0]?.origins).toEqual(['user']);
});
