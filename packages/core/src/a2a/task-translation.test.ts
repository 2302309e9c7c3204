import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parseSendResult, parseStreamEvent, parseTask, parseTaskPage } from './parse-task.ts';
import { renderSendResult, renderStreamEvent, renderTask, renderTaskPage } from './render-task.ts';
import type { Part, StreamEvent, Task } from './task.ts';
import { taskStates } from './task-state.ts';
import type { WireForm } from './wire-form.ts';

const forms = ['current', 'kind', 'draft', 'rest'] as const satisfies readonly WireForm[];

const id = fc.stringMatching(/^[!-~]{1,40}$/);
const uri = fc.stringMatching(/^[!-+\--~]{1,40}$/);
const text = fc.string({ minLength: 1, maxLength: 40 });
const json = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
// Readers set the prototype by such a key.
const metadata = fc.dictionary(
  text.filter((key) => key !== '__proto__'),
  json,
  { minKeys: 1, maxKeys: 3, noNullPrototype: true },
);
const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const raw = fc.base64String({ maxLength: 40 });
const record = <Model>(required: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> }): fc.Arbitrary<Model> =>
  fc.record(required).map((value) => JSON.parse(JSON.stringify(value)) as Model);

const file = { filename: some(text), mediaType: some(text), metadata: some(metadata) };
const part = fc.oneof(
  record({ text: fc.string(), metadata: some(metadata) }),
  record({ raw, ...file }),
  record({ url: fc.webUrl(), ...file }),
  record({ data: json.filter((value) => value !== null), metadata: some(metadata) }),
) as fc.Arbitrary<Part>;
const parts = fc.array(part, { maxLength: 4 });
const message = record({
  messageId: id,
  role: fc.constantFrom('ROLE_USER' as const, 'ROLE_AGENT' as const),
  parts,
  contextId: some(id),
  taskId: some(id),
  extensions: some(fc.array(uri, { minLength: 1, maxLength: 2 })),
  metadata: some(metadata),
});
const status = record({
  state: fc.constantFrom(...taskStates),
  message: some(message),
  timestamp: some(fc.constant('2026-01-02T03:04:05.678Z')),
});
const artifact = record({
  artifactId: id,
  name: some(text),
  description: some(text),
  parts,
  extensions: some(fc.array(text, { minLength: 1, maxLength: 2 })),
  metadata: some(metadata),
});
const task = record({
  id,
  contextId: id,
  status,
  artifacts: some(fc.array(artifact, { minLength: 1, maxLength: 2 })),
  history: some(fc.array(message, { minLength: 1, maxLength: 2 })),
  metadata: some(metadata),
}) as fc.Arbitrary<Task>;
const isTrue = some(fc.constant(true));
const update = { taskId: id, contextId: id, metadata: some(metadata) };
const event = fc.oneof(
  record({ task }),
  record({ message }),
  record({ statusUpdate: record({ ...update, status }) }),
  record({ artifactUpdate: record({ ...update, artifact, append: isTrue, lastChunk: isTrue }) }),
) as fc.Arbitrary<StreamEvent>;

/** As JSON leaves it: what is undefined is not there. */
const onTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe.each(forms)('what is written as %s', (form) => {
  test('is read as the same task', () => {
    fc.assert(
      fc.property(task, (given) => {
        const read = parseTask(onTheWire(renderTask(given, form)), form);
        const empty = form === 'rest' && given.metadata === undefined ? { metadata: {} } : {};
        expect(read).toEqual({ value: { ...given, ...empty } });
      }),
      { numRuns: 60 },
    );
  });

  test('is read as the same event', () => {
    fc.assert(
      fc.property(event, (given) => {
        const read = parseStreamEvent(onTheWire(renderStreamEvent(given, form)), form);
        if (form === 'rest' && 'task' in given && given.task.metadata === undefined) return;
        expect(read).toEqual({ value: given });
      }),
      { numRuns: 60 },
    );
  });

  test('is the same page of tasks', () => {
    const page = { tasks: [], nextPageToken: 'abc', pageSize: 50, totalSize: 51 };
    expect(parseTaskPage(renderTaskPage(page, form), form)).toEqual({ value: page });
  });
});

const say = (value: object) => ({ messageId: 'm', role: 'ROLE_AGENT' as const, parts: [value as Part] });
const partOf = (value: object, form: WireForm) => {
  const rendered = onTheWire(renderSendResult({ message: say(value) }, form)) as { message?: object };
  const said = (rendered.message ?? rendered) as { parts?: readonly unknown[]; content?: readonly unknown[] };
  return (said.parts ?? said.content)?.[0];
};

test.each<[object, WireForm, object]>([
  [{ text: 'a' }, 'kind', { kind: 'text', text: 'a' }],
  [{ text: 'a' }, 'draft', { text: 'a' }],
  [{ text: 'a' }, 'rest', { kind: 'text', text: 'a' }],
  [
    { text: 'a', mediaType: 'text/markdown', metadata: { x: 1 } },
    'kind',
    { kind: 'text', text: 'a', metadata: { mediaType: 'text/markdown', x: 1 } },
  ],
  [
    { raw: 'aGk=', filename: 'f', mediaType: 'text/plain' },
    'kind',
    { kind: 'file', file: { bytes: 'aGk=', name: 'f', mimeType: 'text/plain' } },
  ],
  [{ raw: 'aGk=', mediaType: 'a/b' }, 'rest', { kind: 'file', file: { bytes: 'aGk=', mime_type: 'a/b' } }],
  [{ url: 'https://a.example' }, 'draft', { file: { fileWithUri: 'https://a.example' } }],
  [{ data: { a: 1 } }, 'draft', { data: { data: { a: 1 } } }],
  [{ data: [1] }, 'kind', { kind: 'data', data: { value: [1] }, metadata: { data_part_compat: true } }],
  [{ data: { camelCase: 1 } }, 'rest', { kind: 'data', data: { camelCase: 1 } }],
])('%j is in %s %j', (given, form, expected) => {
  expect(partOf(given, form)).toEqual(expected);
});

const readPart = (value: unknown, form: WireForm = 'kind') =>
  parseSendResult({ message: { messageId: 'm', role: 'agent', parts: [value] } }, form);
const partProblem = (value: unknown, form?: WireForm) =>
  readPart(value, form).problems?.map(({ path, rule }) => `${path} ${rule}`)[0];

test.each([
  [{}, '/message/parts/0 must have a text, data, or a file as raw, url or file'],
  [{ text: 'a', url: 'https://a.example' }, '/message/parts/0/url must not stand beside "text"'],
  [{ kind: 'data', text: 'a' }, '/message/parts/0/kind must be "text"'],
  [{ kind: 'text', text: 7 }, '/message/parts/0/text must be a text'],
  [{ kind: 'file', file: { bytes: 'aGk=', uri: 'https://a.example' } }, 'must have either bytes or a uri'],
  [{ kind: 'file', file: { bytes: 'not base64!' } }, '/message/parts/0/file/bytes must be base64'],
  [{ text: 'a', media_type: 'b', mediaType: 'c' }, 'must not stand beside "mediaType"'],
])('a part %j is refused', (value, problem) => {
  expect(partProblem(value)).toContain(problem);
});

test.each([
  'https://a.example\r\nx-injected: 1',
  'https://a.example, https://b.example',
  'https://\u00E4.example',
  'a b',
  '',
  'x'.repeat(3_000),
])('the extension %j of a message is refused: it goes into a header', (uri) => {
  const message = { messageId: 'm', role: 'agent', parts: [], extensions: [uri] };
  expect(parseSendResult({ message }, 'kind').problems?.[0]?.path).toMatch(/^\/message\/extensions/);
});

test('data over HTTP of 0.3 stands one level deeper', () => {
  expect(partProblem({ data: { a: 1 } }, 'draft')).toContain('must hold its value as data');
  expect(readPart({ data: { data: 1 } }).value).toMatchObject({ message: { parts: [{ data: { data: 1 } }] } });
});

const event1 = { taskId: 't', contextId: 'c', status: { state: 'input-required' }, final: true };

test.each<[unknown, StreamEvent]>([
  [
    { kind: 'status-update', ...event1 },
    { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } },
  ],
  [
    { status_update: { task_id: 't', status: { state: 'TASK_STATE_CANCELLED' } } },
    { statusUpdate: { taskId: 't', status: { state: 'TASK_STATE_CANCELED' } } },
  ],
  [
    { artifact_update: { task_id: 't', artifact: { artifact_id: 'a', parts: [{ text: '' }] }, append: false } },
    { artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', parts: [{ text: '' }] } } },
  ],
])('%j is read', (given, expected) => {
  expect(parseStreamEvent(given, 'kind')).toEqual({ value: expected });
});

test.each([
  [{ task: { id: 't', status: {} }, message: {} }, '/message must not stand beside "task"'],
  [{ kind: 'surprise' }, '/kind must be one of task, message, status-update, artifact-update'],
  [{ kind: 'toString' }, '/kind must be one of'],
  [{ nothing: 1 }, ' must have one of task, message, statusUpdate, artifactUpdate'],
  [{ task: { id: 't' } }, '/task/status must be an object'],
  [{ task: { id: 't', status: { state: 'asleep' } } }, '/task/status/state must be a state of a task'],
  [{ task: { id: 'two words', status: {} } }, '/task/id must be letters, digits and signs'],
  [{ task: { id: 't', status: { timestamp: 'ignore all rules' } } }, '/task/status/timestamp must be a time'],
  [{ task: { id: 't', status: {}, history: Array.from({ length: 1_001 }) } }, 'must not have more than 1000 members'],
  [{ task: { kind: 'message', id: 't', status: {} } }, '/task/kind must be "task"'],
])('an event %j is refused', (value, rule) => {
  const problems = parseStreamEvent(value, 'current').problems ?? [];
  expect(problems.map(({ path, rule: one }) => `${path} ${one}`).join('\n')).toContain(rule);
});

test('an event of a stream is no answer to a message', () => {
  expect(parseSendResult({ statusUpdate: { taskId: 't', status: {} } }, 'current').problems).toBeDefined();
});

test.each<[WireForm, unknown]>([
  ['current', undefined],
  ['kind', true],
  ['rest', true],
])('what is final is told in %s: %p', (form, final) => {
  const given: StreamEvent = { statusUpdate: { taskId: 't', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } };
  expect(JSON.stringify(renderStreamEvent(given, form)).includes('"final":true')).toBe(final === true);
});
