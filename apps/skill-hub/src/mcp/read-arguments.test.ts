import { expect, test } from '@jest/globals';
import type { McpCall } from '@portcullis/platform/mcp-server/mcp-tool';
import { readAgent, readComparison, readReport, readVersion } from './read-arguments.ts';

const call = { clientName: 'client' } as McpCall;
const unnamed = { clientName: undefined } as McpCall;

test('an agent is called as it says, else as its client', () => {
  expect(readAgent({ agent_name: 'agent' }, call)).toEqual({ agent_name: 'agent' });
  expect(readAgent({}, call)).toEqual({ agent_name: 'client' });
  expect(readAgent({}, unnamed)).toEqual({});
});

test('what happened is read in both spellings, and the description wins', () => {
  expect(readReport({ details: 'a', agent_name: 'b' }, call)).toEqual({ description: 'a', agent_name: 'b' });
  expect(readReport({ details: 'a', description: 'c' }, unnamed)).toEqual({ description: 'c' });
});

test('latest is no version', () => {
  expect(readVersion({ skill_name: 'x', version: 'latest' }, call)).toEqual({ skill_name: 'x' });
  expect(readVersion({ skill_name: 'x', version: '1.0.0' }, call)).toEqual({ skill_name: 'x', version: '1.0.0' });
});

test.each([
  [{ from_version: '1', to_version: '2' }],
  [{ old_version: '1', new_version: '2' }],
  [{ version_a: '1', version_b: '2' }],
])('two versions are read from %j', (given) => {
  expect(readComparison(given, call)).toEqual({ from_version: '1', to_version: '2' });
});
