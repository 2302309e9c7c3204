import { describe, expect, test } from '@jest/globals';
import type { Message, StreamEvent, Task } from '@portcullis/core/a2a/task';
import { isTaskText } from '@portcullis/core/a2a/task-texts';
import type { ResponseFilter } from '@portcullis/core/pipeline/stage';
import { parsePolicyFile } from '@portcullis/core/policy/file/parse-policy-file';
import { compilePolicies } from '@portcullis/core/policy/compile/compile-policies';
import type { PolicyPlan } from '@portcullis/core/policy/policy';
import { Placeholders } from '@portcullis/core/policy/redaction/placeholders';
import { rewriteText } from '@portcullis/core/policy/redaction/text-rewriter';
import { JsonChanges } from '@portcullis/core/json/splice-json';
import type { LocatedFinding } from '../traffic/located-finding.ts';
import type { AnswerTexts } from './answer-texts.ts';
import { createInspectRequest } from './inspect-request.ts';
import { createInspectResponse } from './inspect-response.ts';
import type { InspectedUnit } from './inspected-unit.ts';
import type { RequestTexts } from './request-texts.ts';
import { eventContent, rewriteTask, taskContent } from './task-content.ts';
import { TextContext, workOfBody, type TextFacts } from './text-context.ts';
import { compileTrust } from './text-source.ts';

// A data plane other than that of the proxies: its texts stand in messages and tasks, not in bytes.

const { policy, problems } = parsePolicyFile({
  name: 'agents',
  version: '1',
  description: '',
  severity: 'High',
  policy_type: 'a2a',
  rules: [
    { id: 'BLOCK', name: 'Block', severity: 'High', enabled: true, patterns: ['open sesame'], action: 'block' },
    {
      id: 'HIDE',
      name: 'Hide',
      severity: 'High',
      enabled: true,
      patterns: ['secret-\\d{4}'],
      action: 'redact',
      redact: { placeholder: '<SECRET_{COUNT}>', restore: true },
    },
  ],
});
if (policy === undefined) throw new Error(JSON.stringify(problems));
const plan: PolicyPlan = compilePolicies([policy]);

interface Invocation {
  message: Message;
  readonly findings: LocatedFinding[];
  placeholders: Placeholders | undefined;
}

interface EventUnit extends InspectedUnit {
  readonly event: StreamEvent;
}

const factsOf = (direction: TextFacts['direction']): TextFacts => ({
  direction,
  protocol: 'a2a',
  model: undefined,
  path: '/a2a/v1',
  origins: compileTrust('a2a', undefined),
  sourceAt: () => (direction === 'request' ? 'user' : 'tool'),
  roleAt: () => (direction === 'request' ? 'user' : 'assistant'),
  toolAt: () => undefined,
});

const requestTexts = (invocation: Invocation): RequestTexts => ({
  findings: invocation.findings,
  size: JSON.stringify(invocation.message).length,
  context: new TextContext(factsOf('request'), workOfBody()),
  isReadable: () => true,
  scan: (scan) => scan.scanValue({ value: invocation.message, isText: isTaskText }),
  scanCooperatively: (scan) => scan.scanValueCooperatively({ value: invocation.message, isText: isTaskText }),
  *redact(texts) {
    const placeholders = new Placeholders(() => [JSON.stringify(invocation.message)]);
    const changes = new JsonChanges();
    for (const { place, text, findings } of texts) {
      changes.set(place.path, place.isKey, rewriteText(text, findings, placeholders, { side: 'request' }));
      yield;
    }
    invocation.message = rewriteTask(invocation.message, { changes, numbers: [] });
    invocation.placeholders = placeholders;
  },
});

const answerTexts = ({ findings, placeholders }: Invocation): AnswerTexts<EventUnit> => ({
  findings,
  placeholders,
  passesUnread: false,
  sizeOf: ({ event }) => JSON.stringify(event).length,
  valueContext: () => new TextContext(factsOf('response'), workOfBody()),
  pieceContext: () => new TextContext(factsOf('response')),
  rewrite: (unit, changes) => ({ ...unit, event: rewriteTask(unit.event, changes) }),
});

const inspectRequest = createInspectRequest<Invocation>(() => plan, requestTexts);
const inspectResponse = createInspectResponse<Invocation, EventUnit>(() => plan, answerTexts);

const say = (...parts: Message['parts']): Message => ({
  messageId: 'm-1',
  contextId: 'open sesame',
  role: 'ROLE_USER',
  parts,
});
const open = (...parts: Message['parts']): Invocation => ({
  message: say(...parts),
  findings: [],
  placeholders: undefined,
});
const unitOf = (event: StreamEvent): EventUnit => ({ event, content: eventContent(event) });
const partOf = (text: string, append = true): StreamEvent => ({
  artifactUpdate: { taskId: 't-1', artifact: { artifactId: 'a', parts: [{ text }] }, append },
});
function openFilter(invocation: Invocation): ResponseFilter<EventUnit> {
  const filter = inspectResponse.open(invocation, () => undefined);
  if (filter === undefined) throw new Error('no filter');
  return filter;
}
const left = (verdict: ReturnType<ResponseFilter<EventUnit>['push']>) =>
  verdict.kind === 'hold' ? [] : verdict.units.map(({ event }) => event);

describe('a request', () => {
  test.each<readonly [string, Message['parts'], string]>([
    ['a text', [{ text: 'please open sesame' }], '/parts/0/text'],
    ['data', [{ text: 'x' }, { data: { deep: ['open sesame'] } }], '/parts/1/data/deep/0'],
    ['a key of the sender', [{ data: { 'please open sesame now': 1 } }], '/parts/0/data/please open sesame now'],
    ['parts put together', [{ text: 'please open ses' }, { text: 'ame' }], '/parts/0/text'],
    ['metadata', [{ text: 'x', metadata: { note: 'open sesame' } }], '/parts/0/metadata/note'],
    ['a long text', [{ text: `${'word '.repeat(10_000)}open sesame` }], '/parts/0/text'],
  ])('is refused for %s', async (_, parts, location) => {
    const invocation = open(...parts);
    expect(await inspectRequest.run(invocation)).toEqual({ kind: 'deny', denial: { reason: 'policy_violation' } });
    expect(invocation.findings).toMatchObject([{ ruleId: 'BLOCK', direction: 'request', location, origin: 'user' }]);
  });

  test('is not refused for the ids that the gateway gives, and what is to be hidden is taken out of it', async () => {
    const invocation = open({ text: 'with secret-1234' }, { data: { pin: 'secret-5678' } });
    expect(await inspectRequest.run(invocation)).toEqual({ kind: 'next' });
    expect(invocation.message).toEqual({
      ...say({ text: 'with <SECRET_1>' }, { data: { pin: '<SECRET_2>' } }),
    });
  });

  test('is refused for an id that its sender makes up, and where something is to be hidden in one', async () => {
    const ids = (changes: Partial<Message>): Invocation => ({
      ...open({ text: 'x' }),
      message: { ...say(), ...changes },
    });
    const blocked = await inspectRequest.run(ids({ messageId: 'open sesame' }));
    expect(blocked).toMatchObject({ kind: 'deny', denial: { reason: 'policy_violation' } });
    const hidden = await inspectRequest.run(ids({ messageId: 'secret-1234' }));
    expect(hidden).toMatchObject({ kind: 'deny', denial: { reason: 'bad_request' } });
  });

  test('with something to be hidden in a key is refused', async () => {
    const verdict = await inspectRequest.run(open({ data: { 'the secret-1234 is long': 1 } }));
    expect(verdict).toMatchObject({ kind: 'deny', denial: { reason: 'bad_request' } });
  });
});

describe('an answer', () => {
  test('has what was hidden put back, in a whole task and over the events of a stream', async () => {
    const invocation = open({ text: 'with secret-1234' });
    await inspectRequest.run(invocation);
    const task: Task = {
      id: '<SECRET_1>',
      status: { state: 'TASK_STATE_COMPLETED', message: { ...say({ text: 'got <SECRET_1>' }), role: 'ROLE_AGENT' } },
    };
    const whole = openFilter(invocation);
    expect(left(whole.push({ event: { task }, content: taskContent({ task }) }))).toEqual([
      {
        task: {
          ...task,
          status: { ...task.status, message: { ...task.status.message, parts: [{ text: 'got secret-1234' }] } },
        },
      },
    ]);

    const streamed = openFilter(invocation);
    const events = ['got <SEC', 'RET_', '1>', ' and more'].map((text) => partOf(text));
    const sent = [...events.flatMap((event) => left(streamed.push(unitOf(event)))), ...left(streamed.end())];
    const text = sent
      .flatMap((event) => ('artifactUpdate' in event ? event.artifactUpdate.artifact.parts : []))
      .map((part) => ('text' in part ? part.text : ''));
    expect(text.join('')).toBe('got secret-1234 and more');
    expect(sent).toHaveLength(events.length);
  });

  test('has nothing that stays as it is because an agent gives it the form of something that a model has signed', () => {
    const sent = openFilter(open({ text: 'x' }));
    const data = (secret: string) => ({
      encrypted_content: secret,
      deep: [{ type: 'thinking', signature: 'x', thinking: secret }],
    });
    const task = (secret: string): Task => ({
      id: 't-1',
      status: { state: 'TASK_STATE_COMPLETED', message: { ...say({ data: data(secret) }), role: 'ROLE_AGENT' } },
    });
    const unit = { event: { task: task('secret-1234') }, content: taskContent({ task: task('secret-1234') }) };
    const expected = task('<SECRET_1>');
    expect(JSON.stringify(left(sent.push(unit)))).toContain(JSON.stringify(expected.status?.message?.parts));
  });

  test('is cut before a forbidden text, however it is split over events', () => {
    const invocation = open({ text: 'x' });
    const filter = openFilter(invocation);
    expect(left(filter.push(unitOf(partOf('all is well, ', false))))).toHaveLength(1);
    expect(filter.push(unitOf(partOf('open'))).kind).toBe('hold');
    expect(filter.push(unitOf(partOf(' ses'))).kind).toBe('hold');
    expect(filter.push(unitOf(partOf('ame')))).toEqual({
      kind: 'cut',
      denial: { reason: 'policy_violation_response' },
      units: [],
    });
    expect(invocation.findings).toMatchObject([
      { ruleId: 'BLOCK', direction: 'response', location: 'artifact a', origin: 'tool_result' },
    ]);
  });

  test('of a long event is read in slices', async () => {
    const invocation = open({ text: 'x' });
    const message = { ...say({ text: `${'word '.repeat(10_000)}open sesame` }), role: 'ROLE_AGENT' } as const;
    const verdict = await new Promise((resolve) => {
      const filter = inspectResponse.open(invocation, () => resolve(filter?.wake?.()));
      expect(filter?.push(unitOf({ message }))).toEqual({ kind: 'hold' });
    });
    expect(verdict).toMatchObject({ kind: 'cut', denial: { reason: 'policy_violation_response' } });
  });
});
