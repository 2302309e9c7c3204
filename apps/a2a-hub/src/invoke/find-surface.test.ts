import { expect, test } from '@jest/globals';
import { agentCallRoutes } from '@portcullis/contracts/all-routes';
import { findSurface } from './find-surface.ts';

const rest = agentCallRoutes.map(({ method, path }): [string, string, string | undefined] => [
  method,
  `/api/v1${path.replaceAll(/:\w+/g, '1')}`,
  'rest',
]);

test.each([
  ...rest,
  ['POST', '/a2a/v1/agents/1', 'jsonrpc'],
  ['POST', '/a2a/v1/agents/1/message:send', 'http+json'],
  ['GET', '/a2a/v1/agents/1', undefined],
  ['GET', '/a2a/v1/agents/1/.well-known/agent-card.json', undefined],
  ['GET', '/api/v1/agents/1', undefined],
  ['GET', '/api/v1/agents/x/../1/tasks', undefined],
  ['GET', '/a2a/v1/../../api/v1/agents/1/tasks', undefined],
] as const)('%s %s is a call over %s, in any case of letters', (method, path, name) => {
  expect(findSurface(method, path)?.name).toBe(name);
  expect(findSurface(method, path.toUpperCase())?.name).toBe(name);
});
