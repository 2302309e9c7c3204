import { expect, test } from '@jest/globals';
import { createNameScope } from '@portcullis/core/identity/name-scope';
import type { Invocation } from '../invocation/invocation.ts';
import { checkAgentAccess } from './check-agent-access.ts';

const denied = /^The scope allowed_agents of this API key allows (?:other|nothing), not "planner"$/;

test.each<[string, readonly string[] | null, RegExp]>([
  ['no scope', null, /^next$/],
  ['a scope with the agent', ['plan*'], /^next$/],
  ['a scope without it', ['other'], denied],
  ['an empty scope', [], denied],
])('a key with %s', async (_, names, expected) => {
  const invocation = {
    key: { id: 1, name: 'ci', groupId: 3, active: true, expiresAtMs: Infinity, agents: createNameScope(names) },
    group: { id: 3, name: 'team', active: true },
    proxy: { id: 5, name: 'planner', status: 'active', access: new Map([[3, { perMinute: 0 }]]) },
    call: { operation: 'send' },
    snapshot: { groups: new Map() },
  } as unknown as Invocation;
  const verdict = await checkAgentAccess.run(invocation);
  expect(verdict.kind === 'deny' ? verdict.denial.message : verdict.kind).toMatch(expected);
});
