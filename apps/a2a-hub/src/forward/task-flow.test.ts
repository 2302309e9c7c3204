import { expect, test } from '@jest/globals';
import type { StreamEvent } from '@portcullis/core/a2a/task';
import { compileResponseStages } from '@portcullis/core/pipeline/response-chain';
import { collect } from '@portcullis/testkit/a2a-peer/collect-stream';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { emptySnapshot, type AgentEntry } from '../snapshot/hub-snapshot.ts';
import { restSurface } from '../surfaces/rest-surface.ts';
import type { StoredTask } from '../tasks/stored-task.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import { AgentFailure } from '../upstream/agent-failure.ts';
import { Invocation } from '../invocation/invocation.ts';
import { ArtifactTexts } from './artifact-texts.ts';
import { TaskFlow } from './task-flow.ts';

const agent: AgentEntry = {
  id: 3,
  type: 'a2a',
  name: 'maps',
  status: 'active',
  routes: [],
  streams: true,
  credentialsFor: () => ({}),
  access: { get: () => undefined },
};

function open(known: readonly StoredTask[] = []) {
  const request = new IncomingMessage(new Socket());
  const place = { path: '/', query: new URLSearchParams(), clientIp: '192.0.2.1', surface: restSurface };
  const invocation = new Invocation({ request, requestId: 'r', snapshot: emptySnapshot, ...place });
  invocation.proxy = agent;
  invocation.owner = 'group:1';
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] } as const;
  invocation.asked = { agentId: 3, call: { operation: 'stream', message }, isNamed: false };
  const saved: StoredTask[] = [];
  // Only what a flow asks of the store.
  const store = {
    save: async (task: StoredTask) => void saved.push(task),
    findOpenByUpstream: async (_: number, upstreamId: string) => known.find((task) => task.upstreamId === upstreamId),
  } as unknown as TaskStore;
  const openChain = compileResponseStages<Invocation, never>([], 'a2a', {
    fault: () => undefined,
    denied: () => undefined,
  });
  return { invocation, saved, flow: new TaskFlow(invocation, { store, chain: openChain(invocation) }) };
}

async function* from(...events: StreamEvent[]): AsyncGenerator<StreamEvent, void> {
  yield* events;
}

const about = { taskId: 'theirs', contextId: 'their-context' };
const begun: StreamEvent = {
  task: { id: 'theirs', contextId: 'their-context', status: { state: 'TASK_STATE_WORKING' } },
};
const piece = (text: string): StreamEvent => ({
  artifactUpdate: { ...about, artifact: { artifactId: 'a', parts: [{ text }] }, append: text !== 'one ' },
});
const done: StreamEvent = { statusUpdate: { ...about, status: { state: 'TASK_STATE_COMPLETED' } } };

test('a task is kept when its state changes, before its caller hears of it, and whole at its end', async () => {
  const { flow, saved } = open();
  const seen: [string, number][] = [];
  for await (const { event } of flow.run(from(begun, piece('one '), piece('two'), done))) {
    seen.push([Object.keys(event)[0] ?? '', saved.length]);
  }
  expect(seen).toEqual([
    ['task', 1],
    ['artifactUpdate', 1],
    ['artifactUpdate', 1],
    ['statusUpdate', 2],
  ]);
  expect(saved.at(-1)).toMatchObject({
    owner: 'group:1',
    upstreamId: 'theirs',
    upstreamContextId: 'their-context',
    task: { id: flow.task?.id, artifacts: [{ parts: [{ text: 'one two' }] }] },
  });
  expect(JSON.stringify(saved.at(-1)?.task)).not.toContain('their');
});

test('events about tasks of others are left out and counted', async () => {
  const { flow, invocation } = open();
  const foreign = {
    statusUpdate: { taskId: 'of-another', contextId: 'c', status: { state: 'TASK_STATE_FAILED' } },
  } as const;
  const steps = await collect(flow.run(from(begun, foreign, done)));
  expect(steps).toHaveLength(2);
  expect(invocation.foreignEvents).toBe(1);
  expect(flow.task?.status.state).toBe('TASK_STATE_COMPLETED');
});

test('nothing follows the end of a task, and no state goes back', async () => {
  const { flow } = open();
  const back: StreamEvent = { statusUpdate: { ...about, status: { state: 'TASK_STATE_SUBMITTED' } } };
  expect(await collect(flow.run(from(begun, back, done, piece('late'), back)))).toHaveLength(2);
});

test('an agent that answers with the open task of another caller has answered nonsense', async () => {
  const other: StoredTask = {
    agentId: 3,
    owner: 'group:2',
    task: { id: 'ours', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } },
    upstreamId: 'theirs',
    upstreamContextId: undefined,
    changedAt: new Date(),
  };
  const { flow, saved, invocation } = open([other]);
  await expect(collect(flow.run(from(begun)))).rejects.toThrow(AgentFailure);
  expect([saved, invocation.foreignEvents]).toEqual([[], 1]);
  const again = open([{ ...other, owner: 'group:1' }]);
  await collect(again.flow.run(from(begun)));
  expect(again.flow.task?.id).toBe('ours');
});

test('words that belong to no task become one that is completed', async () => {
  const { flow, saved } = open();
  const [step] = await collect(
    flow.run(from({ message: { messageId: 'n', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } })),
  );
  expect(step?.task).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ parts: [{ text: 'hi' }] }],
  });
  expect(saved).toHaveLength(1);
  expect(saved[0]?.upstreamId).toBeUndefined();
});

test('what is added to an artifact is read together with what the task said of it before', () => {
  const artifacts = [{ artifactId: 'a', parts: [{ text: 'one ' }, { data: 7 }, { text: 'two' }] }];
  const task = { id: 't', status: { state: 'TASK_STATE_WORKING' }, artifacts } as const;
  const added = (append?: boolean): StreamEvent => ({
    artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', parts: [{ text: ' three' }] }, append },
  });
  const kept = new ArtifactTexts(task);
  expect(kept.before(added(true))).toBe('one two');
  // From now on the channel of the stream has it.
  expect(kept.before(added(true))).toBeUndefined();
  const told = new ArtifactTexts(undefined);
  expect(told.before(added(true))).toBeUndefined();
  expect(told.before({ task })).toBeUndefined();
  expect(told.before(added(true))).toBe('one two');
  // What replaces an artifact does not go on with it.
  expect(new ArtifactTexts(task).before(added())).toBeUndefined();
});
