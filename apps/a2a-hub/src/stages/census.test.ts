import { describe, expect, test } from '@jest/globals';
import { a2aVersions } from '@portcullis/core/a2a/agent-card';
import type { Route } from '@portcullis/core/a2a/protocol-version';
import { parseStreamEvent } from '@portcullis/core/a2a/parse-task';
import { compileResponseStages } from '@portcullis/core/pipeline/response-chain';
import { row } from '@portcullis/core/pipeline/stage';
import { parsePolicyFile } from '@portcullis/core/policy/file/parse-policy-file';
import { compilePolicies } from '@portcullis/core/policy/compile/compile-policies';
import { leavesOf, marker, markerWord, type Json } from '@portcullis/testkit/json-leaves';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { eventsOf, forms, type CensusForm } from '../../test/census-samples.ts';
import { upstreamCall } from '../forward/answer-call.ts';
import { Invocation } from '../invocation/invocation.ts';
import { AnswerCut } from '../forward/release-units.ts';
import { TaskFlow } from '../forward/task-flow.ts';
import { emptySnapshot, type AgentEntry } from '../snapshot/hub-snapshot.ts';
import type { StoredTask } from '../tasks/stored-task.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import { renderWireRequest } from '../upstream/wire-request.ts';
import { inspectAnswer } from './inspect-answer.ts';
import { inspectMessage } from './inspect-message.ts';

/*
 * Who adds a member to the messages or answers of agents writes it into the samples: what is there is read by policies, or
 * does not come to the other side.
 */

const { policy } = parsePolicyFile({
  name: 'doors',
  version: '1',
  description: '',
  severity: 'High',
  policy_type: 'a2a',
  rules: [{ id: 'DOOR', name: 'Door', severity: 'High', enabled: true, patterns: ['open.sesame'], action: 'block' }],
});
if (policy === undefined) throw new Error('No policy');
const snapshot = { ...emptySnapshot, policies: { ...emptySnapshot.policies, plan: compilePolicies([policy]) } };

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

/** All interfaces that an agent may be called on. */
const routes: readonly Route[] = a2aVersions.flatMap((version) =>
  (['JSONRPC', 'HTTP+JSON'] as const)
    .filter((binding) => binding === 'JSONRPC' || version !== '0.2')
    .map((binding) => ({ url: 'https://agent.example/a2a', binding, version })),
);

/** Without the marker, `is left out` is all there is: nothing was refused. */
type Outcome = 'read' | 'is refused' | 'is left out' | 'passes';

function open({ surface, path }: CensusForm, body: unknown): Invocation {
  const request = new IncomingMessage(new Socket());
  const query = new URLSearchParams();
  const invocation = new Invocation({ request, requestId: 'r', snapshot, path, query, clientIp: '192.0.2.1', surface });
  invocation.proxy = agent;
  invocation.owner = 'group:1';
  const { replies, asked } = surface.read({ method: 'POST', path, query, accept: '', body });
  invocation.replies = replies;
  invocation.asked = asked;
  return invocation;
}

/** What comes of a message on its way to the agent, in the words of any of its interfaces. */
async function ask(form: CensusForm, body: unknown): Promise<Outcome> {
  const invocation = open(form, body);
  if (invocation.asked === undefined) return 'is refused';
  const verdict = await inspectMessage.run(invocation);
  if (verdict.kind === 'deny') return verdict.denial.reason === 'policy_violation' ? 'read' : 'is refused';
  const sent = routes.map((route) => renderWireRequest(agent, route, upstreamCall(invocation), 'r', { headers: {} }));
  return JSON.stringify(sent).includes(markerWord) ? 'passes' : 'is left out';
}

const openChain = compileResponseStages([row(inspectAnswer, ['a2a'])], 'a2a', {
  fault(_stage, _onFault, error) {
    throw error;
  },
  denied: () => undefined,
});

/** What comes of events on their way to the caller and to the store. */
async function answer(form: CensusForm, events: readonly Json[]): Promise<Outcome> {
  const invocation = open(form, form.body);
  const kept: unknown[] = [];
  // The ids that the agent gave are kept beside the task, for the agent alone.
  const save = async ({ task }: StoredTask) => void kept.push(task);
  const store = { save, findOpenByUpstream: async () => undefined };
  const flow = new TaskFlow(invocation, {
    store: store as unknown as TaskStore,
    chain: openChain(invocation),
  });
  const parsed = events.map((event) => parseStreamEvent(event, form.form).value);
  const told: unknown[] = [];
  async function* source() {
    for (const event of parsed) if (event !== undefined) yield event;
  }
  try {
    for await (const { event, task } of flow.run(source()))
      told.push(invocation.replies.event(event, task), flow.reply);
    const { task, reply } = flow;
    if (task !== undefined) told.push(invocation.replies.outcome({ kind: 'sent', task, message: reply }).body);
  } catch (error) {
    if (error instanceof AnswerCut) return 'read';
    throw error;
  }
  if (JSON.stringify([told, kept]).includes(markerWord)) return 'passes';
  return parsed.includes(undefined) ? 'is refused' : 'is left out';
}

const outcomesOf = async (
  value: Json,
  tried: (planted: Json) => Promise<Outcome>,
): Promise<Readonly<Record<Outcome, readonly string[]>>> => {
  const outcomes: Record<Outcome, string[]> = { read: [], 'is refused': [], 'is left out': [], passes: [] };
  // Ids take no blanks.
  for (const { pointer, planted } of leavesOf(value, () => marker.replaceAll(/[ ,]+/g, '-')))
    outcomes[await tried(planted)].push(pointer);
  return outcomes;
};

/** What no policy reads, since none of it comes to the other side, and why not. */
const structure: readonly (readonly [place: RegExp, why: string])[] = [
  [/^\/(?:jsonrpc|method)$/, 'anything else is no call'],
  [/\/(?:kind|role|state|timestamp)$/, 'anything else is refused'],
  [/^\/id$/, 'goes back to its own caller'],
  [/\/(?:id|taskId|contextId|context_id)$/, 'the gateway gives ids of its own, and agents the ids that they gave'],
  [/\/referenceTaskIds\/\d+$/, 'an agent knows other tasks by other ids: nobody is told of them'],
  [/\/tenant$/, 'each interface has its own'],
  [/^(?!.*\/(?:metadata|data)(?:\/|$)).*\/\+(?:key|field)$/, 'members that nobody knows are left out'],
];

/** Of 0.3 over HTTP, where the value of a data part stands one level below. */
const draftStructure: typeof structure = [
  ...structure,
  [/\/(?:content|parts)\/\d+\/data\/\+(?:key|field)$/, 'members that nobody knows are left out'],
];

const findUnexplained = ({ form }: CensusForm, outcomes: Readonly<Record<Outcome, readonly string[]>>) =>
  [...outcomes['is refused'], ...outcomes['is left out']].filter(
    (pointer) => !(form === 'draft' ? draftStructure : structure).some(([place]) => place.test(pointer)),
  );

/** An update of an artifact that says this text. */
const updateOf = ({ form }: CensusForm, text: string, append: boolean): Json => {
  const artifact = { artifactId: 'a1', parts: [{ ...(form === 'kind' && { kind: 'text' }), text }] };
  const update = { taskId: 'theirs', contextId: 'their-context', artifact, append };
  return form === 'kind' ? { kind: 'artifact-update', ...update } : { artifactUpdate: update };
};

describe.each(forms.map((form) => [form.name, form] as const))('%s', (_name, form) => {
  test('every text of a message that comes to an agent is read', async () => {
    expect(await ask(form, form.body)).toBe('is left out');
    const outcomes = await outcomesOf(form.body as Json, (planted) => ask(form, planted));
    expect(outcomes.passes).toEqual([]);
    expect(findUnexplained(form, outcomes)).toEqual([]);
  });

  test.each(Object.entries(eventsOf(form.form)))(
    'every text of an answer that is told or kept is read: %s',
    async (_kind, event) => {
      expect(await answer(form, [event as Json])).toBe('is left out');
      const outcomes = await outcomesOf(event as Json, (planted) => answer(form, [planted]));
      expect(outcomes.passes).toEqual([]);
      expect(findUnexplained(form, outcomes)).toEqual([]);
    },
  );

  test('the texts of an artifact are read over the seams of its updates', async () => {
    const cut = marker.indexOf(markerWord) + 2;
    const pieces = [updateOf(form, marker.slice(0, cut), false), updateOf(form, marker.slice(cut), true)];
    expect(await answer(form, pieces)).toBe('read');
    expect(await answer(form, [updateOf(form, 'good', false), updateOf(form, 'morning', true)])).toBe('is left out');
  });
});
