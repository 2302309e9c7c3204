import { expect, test } from '@jest/globals';
import { findPermissionProblem } from './tool-permissions.ts';

test.each([
  '',
  '{}',
  '{"tools":["a"]}',
  '{"tools":{"a":false,"*":true},"tool_rate_limits":{"a":10}}',
  'read,write',
  'Read, Write',
  '*',
])('%s is taken', (permissions) => {
  expect(findPermissionProblem(permissions)).toBeUndefined();
});

test.each([
  ['{"tool":["a"]}', /"tool" is not a known key.*did you mean "tools"/],
  ['{"read":true}', /"read" is not a known key/],
  ['{"tools":["a"]', /must be the JSON text of an object/],
  ['["a"]', /must be the JSON text of an object/],
  ['"read"', /must be the JSON text of an object/],
  ['read', /would restrict nothing/],
  ['read,wirte', /"wirte" is no JSON object and no known word/],
  ['{"tools":"a"}', /tools must be a list/],
  ['{"tool_rate_limits":{"a":-1}}', /whole numbers/],
])('%s restricts nothing and is refused', (permissions, problem) => {
  expect(findPermissionProblem(permissions)).toMatch(problem);
});
