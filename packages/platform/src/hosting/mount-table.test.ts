import { expect, test } from '@jest/globals';
import { createMountTable } from './mount-table.ts';

const find = createMountTable(
  ['/', '/api/v1/mcp/skills', '/api/v1/mcp', '/a2a/v1/'].map((prefix) => ({ prefix, http: () => undefined })),
);

test.each([
  ['/', '/'],
  ['*', '/'],
  ['/api/v1/proxies', '/'],
  ['/api/v1/mcp', '/api/v1/mcp'],
  ['/api/v1/mcp/', '/api/v1/mcp'],
  ['/api/v1/mcp?x=/api/v1/mcp/skills', '/api/v1/mcp'],
  ['/API/v1/MCP/tools', '/api/v1/mcp'],
  ['/api/v1/mcps', '/'],
  ['/api/v1/mcp/skills/7?a=b', '/api/v1/mcp/skills'],
  ['/a2a/v1', '/a2a/v1/'],
  ['/a2a/v1/agents', '/a2a/v1/'],
  ['/a2a/v10', '/'],
  ['/a2a/v1;x=1', '/'],
  ['/a2a%2fv1', '/'],
])('%s is answered by what is mounted at %s', (target, prefix) => {
  expect(find(target)?.prefix).toBe(prefix);
});

test('where nothing is mounted at the root, other paths belong to no mount', () => {
  const alone = createMountTable([{ prefix: '/a2a/v1' }]);
  expect(alone('/a2a/v1/agents')?.prefix).toBe('/a2a/v1');
  expect(alone('/')).toBeUndefined();
});

test('two services cannot have the same place', () => {
  expect(() => createMountTable([{ prefix: '/a' }, { prefix: '/A/' }])).toThrow('same prefix');
});
