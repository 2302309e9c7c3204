import { describe, expect, test } from '@jest/globals';
import { endpointDefaults, type EvaluationEndpointFields } from '@portcullis/contracts/evaluation-endpoint';
import fc from 'fast-check';
import type { ChatMessage } from '../suite/render-case.ts';
import { buildRequest, joinUrl } from './build-request.ts';
import { checkEndpoint } from './check-endpoint.ts';

const endpoint = (changes: Partial<EvaluationEndpointFields> = {}): EvaluationEndpointFields => ({
  ...endpointDefaults,
  url: 'https://h.example',
  model: 'm',
  ...changes,
});
const say = (content: string): ChatMessage => ({ role: 'user', content });
const talk: readonly ChatMessage[] = [
  { role: 'system', content: 'Rules.' },
  say('One?'),
  { role: 'assistant', content: 'First.' },
  say('Two?'),
];

function bodyOf(fields: Partial<EvaluationEndpointFields>, messages = talk): unknown {
  const built = buildRequest(endpoint(fields), messages);
  if (built.problem !== undefined) throw new Error(built.problem);
  return JSON.parse(built.request.body ?? 'null');
}
const template = (payload_template: string) => ({ request_format: 'custom', payload_template }) as const;

test.each([
  ['https://h', '/v1/chat', 'https://h/v1/chat'],
  ['https://h/', 'v1/chat', 'https://h/v1/chat'],
  ['https://h/v1', '/v1/chat', 'https://h/v1/chat'],
  ['https://h/v1/chat', '/v1/chat', 'https://h/v1/chat'],
  ['https://h/base', '', 'https://h/base'],
  ['https://h', '/a/?x=1&y=2', 'https://h/a/?x=1&y=2'],
  ['https://h/a?k=1', '/b?x=1', 'https://h/a/b?k=1&x=1'],
])('%s and %s are %s', (base, path, whole) => {
  expect(joinUrl(base, path)?.href).toBe(whole);
});

describe('chat completions', () => {
  test('hold the whole conversation', () => {
    expect(bodyOf({})).toEqual({ model: 'm', messages: talk });
  });

  test('are capped when that is wished', () => {
    const built = buildRequest(endpoint(), talk, 500);
    expect(JSON.parse(built.problem ?? built.request.body ?? '')).toMatchObject({ max_tokens: 500 });
  });

  test.each([
    [{ auth_type: 'bearer', api_key: 'k' }, { authorization: 'Bearer k' }],
    [{ auth_type: 'api-key', api_key: 'k' }, { 'x-api-key': 'k' }],
    [{ auth_type: 'custom', custom_headers: { 'X-Auth': 'a' } }, { 'x-auth': 'a' }],
  ] as const)('%j', (fields, headers) => {
    const built = buildRequest(endpoint(fields), talk);
    expect(built.problem ?? built.request.headers).toMatchObject(headers);
  });
});

describe('templates', () => {
  test('a message of a list is preceded by what was said before', () => {
    const openai = template(
      '{"model":"x","messages":[{"role":"system","content":"S"},{"role":"user","content":"Q: {prompt}"}]}',
    );
    expect(bodyOf(openai)).toEqual({
      model: 'x',
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'Rules.\n\nOne?' },
        { role: 'assistant', content: 'First.' },
        { role: 'user', content: 'Q: Two?' },
      ],
    });
    const gemini = template('{"contents":[{"role":"user","parts":[{"text":"{prompt}"}]}]}');
    expect(bodyOf(gemini)).toEqual({
      contents: [
        { role: 'user', parts: [{ text: 'Rules.\n\nOne?' }] },
        { role: 'model', parts: [{ text: 'First.' }] },
        { role: 'user', parts: [{ text: 'Two?' }] },
      ],
    });
  });

  test('a second placeholder is the prompt alone', () => {
    const both = template('{"title":"<{prompt}>","messages":[{"role":"user","content":"{prompt}"}]}');
    expect(bodyOf(both, [say('{prompt}?')])).toEqual({
      title: '<{prompt}?>',
      messages: [{ role: 'user', content: '{prompt}?' }],
    });
  });

  test('elsewhere the conversation is one text', () => {
    expect(bodyOf(template('{"q":"{prompt}"}'))).toEqual({
      q: 'Rules.\n\nUser: One?\n\nAssistant: First.\n\nUser: Two?\n\nAssistant:',
    });
    expect(bodyOf(template('{"q":"{prompt}","again":"<{prompt}>"}'), [say('a "b"')])).toEqual({
      q: 'a "b"',
      again: '<a "b">',
    });
  });

  test('any prompt arrives as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const sound = text.toWellFormed();
        expect(bodyOf(template('{"a":["x",{"q":"{prompt}"}]}'), [say(sound)])).toEqual({ a: ['x', { q: sound }] });
        expect(bodyOf(template('{"messages":[{"role":"user","content":"{prompt}"}]}'), [say(sound)])).toEqual({
          messages: [{ role: 'user', content: sound }],
        });
      }),
    );
  });

  test.each([
    ['{"q":{prompt}}', 'no JSON after the prompt was put in'],
    ['{"q":"{prompt}"', 'no JSON after the prompt was put in'],
    ['{"q":"hello"}', 'has no {prompt}'],
    ['{"{prompt}":1}', 'outside of a string value'],
  ])('%s is refused', (text, reason) => {
    expect(buildRequest(endpoint(template(text)), talk).problem).toContain(reason);
    expect(checkEndpoint(endpoint(template(text))).join()).toContain(reason);
  });

  test('with GET they become a query', () => {
    const built = buildRequest(
      endpoint({ ...template('{"q":"{prompt}","n":2}'), http_method: 'GET', endpoint_path: '/ask' }),
      [say('a b&c')],
    );
    expect(built.problem ?? [built.request.url, built.request.body]).toEqual([
      'https://h.example/ask?q=a+b%26c&n=2',
      undefined,
    ]);
  });
});

test('guardrails are asked as their path says', () => {
  const ask = (endpoint_path: string) => bodyOf({ request_format: 'guardrails', endpoint_path, model: '' }, [say('t')]);
  expect(ask('/v1/moderations')).toEqual({ input: 't' });
  expect(ask('/guardrail/g/version/1/apply')).toEqual({ source: 'INPUT', content: [{ text: { text: 't' } }] });
  expect(ask('/v2/guard')).toEqual({ messages: [{ role: 'user', content: 't' }] });
});

test('an endpoint is told what it lacks, and only that', () => {
  expect(checkEndpoint(endpoint())).toEqual([]);
  expect(checkEndpoint(endpoint({ auth_type: 'bearer', model: '' }))).toEqual([
    'api_key: needed with auth_type bearer',
    'model: needed with request_format chat-completion',
  ]);
  expect(checkEndpoint(endpoint({ request_format: 'custom', response_format: 'custom' }))).toEqual([
    'payload_template: needed with request_format custom',
    'response_jq_expr: needed with response_format custom',
  ]);
  expect(
    checkEndpoint(endpoint({ auth_type: 'custom', response_format: 'custom', response_jq_expr: '.a | .b' })),
  ).toEqual([expect.stringContaining('custom_headers: needed'), expect.stringContaining('is not read from character')]);
});
