import { expect, test } from '@jest/globals';
import { agentRoutes } from '../all-routes.ts';
import type { Route } from '../route.ts';
import { cancelAgentTask, getAgentTask, invokeAgent, listAgentTasks } from './agent-tasks.ts';

/** As the specification names them. */
const rows = [
  'GET /agents key or jwt',
  'GET /agents/:id key or jwt',
  'POST /agents admin jwt',
  'PUT /agents/:id admin jwt',
  'DELETE /agents/:id admin jwt',
  'POST /agents/:id/invoke key or jwt',
  'GET /agents/:id/tasks key or jwt',
  'GET /agents/:id/tasks/:taskId key or jwt',
  'POST /agents/:id/tasks/:taskId/cancel key or jwt',
  'GET /agents/:id/access admin jwt',
  'POST /agents/:id/access admin jwt',
  'DELETE /agents/:id/access/:accessId admin jwt',
  'GET /agents/:id/logs admin jwt',
];

const accessOf = ({ role, acceptsApiKey }: Route): string => {
  if (role === 'admin' && acceptsApiKey !== true) return 'admin jwt';
  // Whoever has a login may: what they reach is a matter of their groups.
  return role === 'user' && acceptsApiKey ? 'key or jwt' : role;
};

test('every row of the specification is a route, open to whom it says', () => {
  const routes = new Set([...agentRoutes, invokeAgent, listAgentTasks, getAgentTask, cancelAgentTask]);
  const known = [...routes].map((route) => `${route.method} ${route.path} ${accessOf(route)}`);
  expect(known).toEqual(expect.arrayContaining(rows));
});
