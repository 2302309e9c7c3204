import { expect, test } from '@jest/globals';
import { parseAgentCardText } from '@portcullis/core/a2a/parse-agent-card';
import { PersistentMap } from '@portcullis/core/collections/persistent-map';
import { createEncryption } from '@portcullis/platform/security/encryption';
import type { PolicyRow } from '@portcullis/platform/policies/policy-source';
import type { SnapshotRows } from '@portcullis/platform/snapshot/snapshot-source';
import { silentLog } from '@portcullis/platform/test/test-database';
import type { Invocation } from '../invocation/invocation.ts';
import { textFacts } from '../invocation/text-facts.ts';
import { createHubCompiler } from './compile-hub.ts';
import type { AgentSourceRow, HubTables } from './hub-sources.ts';

const { value } = parseAgentCardText(JSON.stringify({ name: 'Maps', url: 'https://agent.example' }));
if (value === undefined) throw new Error('no card');
const agent: AgentSourceRow = {
  id: 3,
  name: 'Maps',
  status: 'active',
  card: value.card,
  target_url: null,
  target_auth: null,
};
const policy = (word: string): PolicyRow => ({
  name: 'house',
  document: {
    name: 'house',
    version: '1',
    description: '',
    severity: 'High',
    policy_type: 'a2a',
    rules: [{ id: 'A', name: 'A', severity: 'High', enabled: true, patterns: [word], action: 'block' }],
  },
});
const table = <Row>(...rows: readonly Row[]) =>
  PersistentMap.empty<string, readonly Row[]>().with(rows.map((row, index) => [String(index), [row]] as const));
const rowsWith = (agents: readonly AgentSourceRow[], word = 'sesame'): SnapshotRows<HubTables> => ({
  revision: 1,
  keys: table(),
  groups: table(),
  access: table(),
  agents: table(...agents),
  policies: table(policy(word)),
  exceptions: table(),
});

const open = () =>
  createHubCompiler({
    encryption: createEncryption('e'.repeat(32)),
    analyst: { analyse: async () => undefined },
    log: silentLog,
  });

test('a call that began before an exception was ended is not under it any more', () => {
  const compiler = open();
  const exception = { id: 9, ruleId: 'A', policyName: null, proxyId: null, agentId: 3, userGroupId: 1, tool: null };
  const rows = { ...rowsWith([agent]), exceptions: table({ ...exception, endsAtMs: Infinity }) };
  const { exceptions: pinned } = compiler.compile(rows);
  const findFor = (agentId: number, groupId: number) => {
    const call = { path: '/', snapshot: { exceptions: pinned }, proxy: { id: agentId }, group: { id: groupId } };
    const { exceptions } = textFacts(call as unknown as Invocation, 'response');
    return exceptions?.find({ policyName: 'house', ruleId: 'A' }, {});
  };
  expect([findFor(3, 1), findFor(4, 1), findFor(3, 2)]).toEqual([9, undefined, undefined]);
  compiler.compile(rowsWith([agent]));
  expect(findFor(3, 1)).toBeUndefined();
});

test('no policies are compiled without an agent, and no agent is there before they are', async () => {
  const compiler = open();
  expect(compiler.compile(rowsWith([]))).toMatchObject({ policies: { plan: undefined, areBehind: false } });
  expect(await compiler.catchUp()).toBe(false);

  const rows = rowsWith([agent]);
  const first = compiler.compile(rows);
  expect([first.agents.size, first.policies.areBehind]).toEqual([0, true]);
  expect(await compiler.catchUp()).toBe(true);
  const then = compiler.compile(rows);
  expect([then.agents.size, then.policies.areBehind]).toEqual([1, false]);
  expect(then.policies.plan?.scan('open sesame', { direction: 'request', protocol: 'a2a' })).toHaveLength(1);

  // A change of a policy leaves the one before in force until it is compiled.
  const changed = compiler.compile(rowsWith([agent], 'papaya'));
  expect([changed.agents.size, changed.policies.areBehind, changed.policies.plan]).toEqual([
    1,
    true,
    then.policies.plan,
  ]);
  // They stay compiled without an agent: the next one is callable at once.
  expect(await compiler.catchUp()).toBe(true);
  expect(compiler.compile(rowsWith([], 'papaya')).policies.areBehind).toBe(false);
  expect(compiler.compile(rowsWith([agent], 'papaya')).agents.size).toBe(1);
});
