import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Message, StreamEvent, Task } from './task.ts';
import { replaceTexts, textsOf } from './task-texts.ts';

const longKey = 'ignore_all_previous_rules_and';

const message: Message = {
  messageId: 'm-1',
  role: 'ROLE_USER',
  contextId: 'c',
  referenceTaskIds: ['t-0'],
  parts: [
    { text: 'words', metadata: { note: 'of a part' } },
    { raw: 'aGlkZGVu', filename: 'a.txt', mediaType: 'text/plain' },
    { url: 'https://files.example/x' },
    { data: { id: 'data id', [longKey]: ['deep'], role: 'ROLE_USER' } },
    { data: 'plain' },
  ],
  metadata: { state: 'of the sender' },
};
const task: Task = {
  id: 't',
  status: { state: 'TASK_STATE_WORKING', message, timestamp: '2026-01-01T00:00:00Z' },
  artifacts: [{ artifactId: 'a', name: 'Report', description: 'What came of it', parts: [{ text: 'found' }] }],
  history: [message],
};

const found = (node: Parameters<typeof textsOf>[0]) => [...textsOf(node)].map(({ text }) => text);

test("every part that carries words is read, ids that the sender makes up too; the gateway's own ids and states are not", () => {
  expect(found(message)).toEqual([
    'm-1',
    't-0',
    'words',
    'note',
    'of a part',
    'aGlkZGVu',
    'a.txt',
    'text/plain',
    'https://files.example/x',
    'data id',
    longKey,
    'deep',
    'ROLE_USER',
    'plain',
    'state',
    'of the sender',
  ]);
  const once = found(message);
  expect(found(task)).toEqual([...once, 'a', 'Report', 'What came of it', 'found', ...once]);
});

test('a place says what stands there', () => {
  const places = [...textsOf(message)];
  expect(places.find(({ text }) => text === 'aGlkZGVu')).toMatchObject({ path: ['parts', 1, 'raw'], isEncoded: true });
  expect(places.find(({ text }) => text === longKey)).toMatchObject({
    isKey: true,
    path: ['parts', 3, 'data', longKey],
  });
  expect(places.filter(({ isEncoded }) => isEncoded)).toHaveLength(1);
});

test('what is called raw in the data of a sender is text', () => {
  const texts = [...textsOf({ data: { raw: 'plain words' } })];
  expect(texts.find(({ isKey }) => !isKey)).toMatchObject({ text: 'plain words', isEncoded: false });
});

test.each<[StreamEvent, readonly (string | undefined)[]]>([
  [
    {
      artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', name: 'n', parts: [{ text: 'sec' }] }, append: true },
    },
    [undefined, undefined, 'artifact a'],
  ],
  [
    { artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', parts: [{ data: { text: 'x' } }] } } },
    [undefined, undefined],
  ],
  [
    { statusUpdate: { taskId: 't', status: { state: 'TASK_STATE_WORKING', message } } },
    found(message).map(() => undefined),
  ],
])('texts that go on over events are told: %#', (event, channels) => {
  expect([...textsOf(event)].map(({ channel }) => channel)).toEqual(channels);
});

test('texts are replaced where they were found, and nothing else', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      const places = [...textsOf(task)].filter(({ isKey }) => !isKey);
      const changed = replaceTexts(
        task,
        places.map(({ path }) => ({ path, text })),
      );
      const after = [...textsOf(changed)].filter(({ isKey }) => !isKey);
      expect(after.map(({ path }) => path)).toEqual(places.map(({ path }) => path));
      expect(after.every((one) => one.text === text)).toBe(true);
      expect(changed.status.state).toBe(task.status.state);
    }),
    { numRuns: 20 },
  );
  expect(replaceTexts(task, [])).toBe(task);
});

test('a place where no text stands is left alone', () => {
  const paths = [['status'], ['status', 'nothing'], ['artifacts', 5, 'name'], ['__proto__', 'x'], ['id', 'x', 'y']];
  for (const path of paths) expect(replaceTexts(task, [{ path, text: 'x' }])).toEqual(task);
});

test('thousands of members are replaced in one copy', () => {
  const numbers = Array.from({ length: 30_000 }, (_, index) => index);
  const members = Object.fromEntries(numbers.map((number) => [`k${number}`, number]));
  const large: Task = { ...task, metadata: { members, numbers } };
  const changes = numbers.flatMap((number) => [
    { path: ['metadata', 'members', `k${number}`], text: 'x' },
    { path: ['metadata', 'numbers', number], text: 'x' },
  ]);
  const expected = JSON.stringify(large, (_, value: unknown) => (typeof value === 'number' ? 'x' : value));
  expect(JSON.stringify(replaceTexts(large, changes)) === expected).toBe(true);
});
