import { expect, test } from '@jest/globals';
import { httpSurface } from './agent-surfaces.ts';

const replies = (path: string, accept: string) =>
  httpSurface.read({
    method: 'GET',
    path: `/a2a/v1/agents/1${path}`,
    query: new URLSearchParams(),
    accept,
    body: undefined,
  }).replies;
const page = { kind: 'page', page: { tasks: [], nextPageToken: '', pageSize: 1, totalSize: 0 } } as const;

test.each([
  ['application/a2a+json', true],
  ['application/json;q=0.5, Application/A2A+JSON', true],
  ['application/a2a+json; q=0.9', true],
  ['application/a2a+json; q=0', false],
  ['application/a2a+json;q=0.0, application/json', false],
  ['application/json', false],
  ['*/*', false],
  ['application/a2a+jsonp', false],
  ['', false],
])('a caller of 1.0 that accepts %j gets the media type of A2A: %s', (accept, isOwn) => {
  const type = isOwn ? 'application/a2a+json' : undefined;
  expect(replies('/tasks', accept).outcome(page).headers?.['content-type']).toBe(type);
  const failure = replies('/tasks', accept).failure({ reason: 'rate_limited', requestId: 'r', headers: { a: 'b' } });
  expect(failure.headers).toEqual({ a: 'b', ...(isOwn && { 'content-type': type }) });
});

test('0.3 has none', () => {
  expect(replies('/v1/tasks/t', 'application/a2a+json').outcome(page).headers).toEqual({});
});
