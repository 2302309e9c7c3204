import { expect, test } from '@jest/globals';
import { examLimits } from '@portcullis/contracts/policy-exam';
import { parseSamples } from './parse-samples.ts';

const line = (value: object): string => JSON.stringify(value);

test('texts and conversations are read with what a proxy would know of them', () => {
  const lines = [
    line({ text: 'one', label: 'attack' }),
    '',
    line({ text: 'two', label: 0, id: 'b', category: 'mail', direction: 'response' }),
    line({ text: 'three', label: 1, role: 'tool', tool: 'fetch' }),
    line({ text: 'four', label: 'benign', origin: 'document' }),
    line({
      label: 'attack',
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'u' },
      ],
    }),
  ].join('\r\n');
  const { samples = [] } = parseSamples(`\uFEFF${lines}\n`);
  expect(samples.map(({ id, label }) => [id, label])).toEqual([
    ['line 1', 'attack'],
    ['b', 'benign'],
    ['line 4', 'attack'],
    ['line 5', 'benign'],
    ['line 6', 'attack'],
  ]);
  expect(samples[1]).toMatchObject({ category: 'mail', texts: [{ direction: 'response', origin: 'assistant' }] });
  expect(samples[2]?.texts).toMatchObject([{ origin: 'tool_result', role: 'tool', tool: 'fetch' }]);
  expect(samples[3]?.texts).toMatchObject([{ origin: 'document', role: 'user' }]);
  expect(samples[4]?.texts).toMatchObject([{ origin: 'instructions' }, { origin: 'user', direction: 'request' }]);
});

test.each([
  ['', 'there is no sample'],
  ['{"text": "a", "label": "attack"', 'line 1: is no JSON: '],
  ['[]', 'line 1: must be a JSON object'],
  [line({ text: 'a' }), 'line 1: label must be "attack" or "benign", or 1 or 0'],
  [line({ text: 'a', label: 'bad' }), 'line 1: label must be "attack" or "benign", or 1 or 0, not "bad"'],
  [line({ label: 1 }), 'line 1: needs either text or messages'],
  [line({ text: '', label: 1 }), 'line 1: text must be a text of 1 to '],
  [line({ text: 'a', label: 1, messages: [] }), 'line 1: needs either text or messages'],
  [line({ messages: [], label: 1 }), 'line 1: messages must be a list of 1 to 50'],
  [line({ messages: ['x'], label: 1 }), 'line 1: messages[0] must be a JSON object'],
  [line({ messages: [{ role: 'user' }], label: 1 }), 'line 1: messages[0] needs role and content'],
  [
    line({ messages: [{ role: 'robot', content: 'x' }], label: 1 }),
    'line 1: messages[0].role must be one of system, developer, user, assistant, tool, not "robot"',
  ],
  [line({ messages: [{ role: 'user', content: 'x' }], label: 1, tool: 't' }), 'line 1: tool is for a sample with text'],
  [line({ text: 'a', label: 1, categry: 'x' }), 'line 1: there is no field categry; did you mean "category"?'],
  [
    `${line({ text: 'a', label: 1, id: 'x' })}\n\n${line({ text: 'b', label: 1, id: 'x' })}`,
    'line 3: the id "x" is that of line 1',
  ],
  [`${line({ text: 'a', label: 1 })}\n`.repeat(examLimits.samples + 1), 'there are more than 5000 samples'],
])('%j: %s', (lines, problem) => {
  const { problems = [] } = parseSamples(lines);
  expect(problems[0]).toContain(problem);
});

test('all mistakes are told at once, and a file of nothing else stops being read', () => {
  expect(parseSamples(`{}\n${line({ text: 'a', label: 1 })}\n[]`).problems).toHaveLength(2);
  expect(parseSamples('[]\n'.repeat(1_000)).problems).toHaveLength(21);
});
