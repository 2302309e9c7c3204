import { describe, expect, test } from '@jest/globals';
import type { ResponseFormat } from '@portcullis/contracts/evaluation-endpoint';
import fc from 'fast-check';
import { parseDotPath, valuesAt } from './dot-path.ts';
import { readAnswer } from './read-answer.ts';

const read = (value: unknown, format: ResponseFormat = 'auto', path = '') =>
  readAnswer(
    { status: 200, headers: {}, body: typeof value === 'string' ? value : JSON.stringify(value) },
    format,
    path,
  );

describe('paths', () => {
  const value = { choices: [{ message: { content: 'a', 'x.y': 'q' } }, { message: { content: 'b' } }], '0': 'zero' };
  test.each([
    ['choices[0].message.content', ['a']],
    ['choices.1.message.content', ['b']],
    ['.choices[-1].message.content', ['b']],
    ['$.choices[0]["message"]["x.y"]', ['q']],
    ['choices[].message.content', ['a', 'b']],
    ['choices[*].message.content', ['a', 'b']],
    ['0', ['zero']],
    ['choices[7].message', []],
    ['constructor.name', []],
    ['__proto__', []],
  ])('%s', (path, expected) => {
    const { steps = [], problem } = parseDotPath(path) as { steps?: never[]; problem?: string };
    expect([problem, valuesAt(value, steps)]).toEqual([undefined, expected]);
  });

  test.each(['', '.', 'a | length', 'a[b', 'a..b', 'a["b]'])('%j is refused', (path) => {
    expect(parseDotPath(path).problem).toBeDefined();
  });

  test('any text is a path or a problem', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (path) => {
        const parsed = parseDotPath(path);
        if (parsed.problem === undefined) valuesAt(value, parsed.steps);
      }),
    );
  });
});

describe('formats', () => {
  test.each([
    ['chat', { choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }], usage: { completion_tokens: 3 } }],
    [
      'responses',
      { output: [{ type: 'message', content: [{ type: 'output_text', text: 'hi' }] }], status: 'completed' },
    ],
    ['Anthropic', { type: 'message', content: [{ type: 'text', text: 'hi' }], stop_reason: 'end_turn' }],
    ['Gemini', { candidates: [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }] }],
    ['Bedrock', { output: { message: { content: [{ text: 'hi' }] } }, stopReason: 'end_turn' }],
    ['Titan', { results: [{ outputText: 'hi', completionReason: 'FINISH' }] }],
    ['Ollama', { message: { role: 'assistant', content: 'hi' }, done: true }],
    ['an application', { answer: 'hi' }],
    ['nested', { data: { response: 'hi' } }],
    ['a list', [{ generated_text: 'hi' }]],
    ['text', '"hi"'],
  ])('%s', (_name, value) => {
    expect(read(value).text).toBe('hi');
  });

  test('plain text is read as it is, and HTML too', () => {
    expect(read('just text').text).toBe('just text');
  });

  test('a stream is put together', () => {
    const chat = ['he', 'y']
      .map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
      .join('');
    expect(read(`${chat}data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n`)).toMatchObject({
      text: 'hey',
      finishReason: 'stop',
    });
    expect(read('event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"yo"}}\n').text).toBe(
      'yo',
    );
  });

  test('a path of the endpoint wins, and what it misses is told', () => {
    const value = { a: { b: ['x', 'y'] }, choices: [{ message: { content: 'no' }, finish_reason: 'content_filter' }] };
    expect(read(value, 'custom', 'a.b[1]')).toMatchObject({ text: 'y', finishReason: 'content_filter' });
    expect(read(value, 'custom', 'a.c').problem).toBe('The answer has nothing at a.c');
    expect(read({ foo: 1 }, 'openai').problem).toContain('format openai');
  });

  test('calls of tools are read wherever they stand', () => {
    const call = { function: { name: 'f', arguments: '{"x":1}' } };
    expect(read({ choices: [{ message: { content: null, tool_calls: [call] } }] }).toolCalls).toEqual(['f {"x":1}']);
    expect(
      read({ type: 'message', stop_reason: 'tool_use', content: [{ type: 'tool_use', name: 'g', input: { y: 2 } }] })
        .toolCalls,
    ).toEqual(['g {"y":2}']);
    expect(read('Well.\nCALL add {"a":1}\n  CALL add {"a":2}').toolCalls).toEqual(['add {"a":1}', 'add {"a":2}']);
  });

  test('no answer of an endpoint throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('auto', 'openai', 'bedrock', 'custom'), (value, format) => {
        expect(typeof read(JSON.stringify(value), format, 'a[0].b').text).toBe('string');
      }),
    );
  });
});
