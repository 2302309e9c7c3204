/**
 * What clients ask MCP servers, and tell them, in all revisions of the specification and its extensions for tasks and skills.
 * What servers ask clients is not among it.
 */
export const knownMethods: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'resources/templates/list',
  'resources/directory/read',
  'prompts/list',
  'prompts/get',
  'skills/list',
  'skills/get',
  'completion/complete',
  'logging/setLevel',
  'subscriptions/listen',
  'tasks/list',
  'tasks/get',
  'tasks/update',
  'tasks/result',
  'tasks/cancel',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
  'notifications/tasks/status',
]);
