import { errorCatalogue } from '@portcullis/contracts/errors';
import { a2aError } from '@portcullis/core/a2a/a2a-error';
import type { Call, ListTasksCall, SendCall } from '@portcullis/core/a2a/call';
import type { PageTokens } from '@portcullis/core/a2a/page-token';
import type { StreamEvent } from '@portcullis/core/a2a/task';
import { isInterrupted, isTerminal } from '@portcullis/core/a2a/task-state';
import type { JsonObject } from '@portcullis/core/json/json-object';
import { omitUndefined } from '@portcullis/core/json/omit-undefined';
import type { Forwarded } from '@portcullis/core/pipeline/engine';
import type { ResponseChain } from '@portcullis/core/pipeline/response-chain';
import type { ForwardStage } from '@portcullis/core/pipeline/stage';
import { redirectFinding } from '@portcullis/platform/traffic/redirect-finding';
import { setTimeout as wait } from 'node:timers/promises';
import { cutHistory } from '../tasks/cut-history.ts';
import type { MessageKey } from '../tasks/message-queries.ts';
import type { StoredTask } from '../tasks/stored-task.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import type { AgentClient } from '../upstream/agent-client.ts';
import { AgentFailure } from '../upstream/agent-failure.ts';
import { readFault } from '../upstream/read-fault.ts';
import type { Answered } from '../upstream/route-choice.ts';
import type { CallContext } from '../upstream/upstream-agent.ts';
import { callHeaders } from './call-headers.ts';
import { describeFailure } from './describe-failure.ts';
import type { EventUnit } from '../invocation/event-unit.ts';
import type { Invocation } from '../invocation/invocation.ts';
import type { InvocationWriter } from '../invocation/invocation-writer.ts';
import { listTasks } from './list-tasks.ts';
import { AnswerCut } from './release-units.ts';
import { TaskFlow, type FlowStep } from './task-flow.ts';

export interface ForwardParts {
  readonly client: AgentClient;
  readonly store: TaskStore;
  readonly pageTokens: PageTokens;
  /** The card of the agent as the gateway serves it, for a caller who may call it. */
  readonly loadCard: (invocation: Invocation) => Promise<JsonObject | undefined>;
}

/** What a call needs on its way to the agent and back. */
export interface CallInHand extends Forwarded<Invocation> {
  readonly writer: InvocationWriter;
  readonly chain: () => ResponseChain<EventUnit>;
  /** Takes what happens for the call, which may go on behind its answer. */
  readonly follow: (work: Promise<void>) => void;
  /** Told why an agent failed. */
  readonly onAgentFailure: (failure: AgentFailure) => void;
}

const stageName = 'forward';

/** Asks the agent, or the store where that knows, and answers the caller. */
export const createForward = (parts: ForwardParts): ForwardStage<CallInHand> => ({
  name: stageName,
  run(hand) {
    hand.follow(answer(hand, parts));
  },
});

async function answer(hand: CallInHand, parts: ForwardParts): Promise<void> {
  const { exchange: invocation, writer } = hand;
  const flow = new TaskFlow(invocation, { store: parts.store, chain: hand.chain() });
  try {
    await byOperation[invocation.call.operation](hand, parts, flow);
  } catch (error) {
    if (error instanceof AnswerCut) return await refuseAnswer(error, hand, parts, flow);
    await forgetClaim(invocation, parts);
    if (!(error instanceof AgentFailure)) {
      hand.onAgentFailure(readFault(error));
      writer.fail({ reason: isAway(error) ? 'service_unavailable' : 'internal_error' }, stageName);
      return;
    }
    invocation.agentProblem = error.message;
    const { address } = error;
    if (address !== undefined)
      invocation.findings.push(redirectFinding({ header: 'location', address, action: 'block' }));
    hand.onAgentFailure(error);
    writer.fail(describeFailure(error), stageName);
  } finally {
    const key = claimOf(invocation);
    if (key !== undefined) parts.store.releaseMessage(key);
  }
}

const isAway = (error: unknown): boolean => Error.isError(error) && error.name === 'DatabaseUnavailable';

/** The message that this call has claimed. */
const claimOf = ({ claimed, owner, proxy, call }: Invocation): MessageKey | undefined =>
  claimed && owner !== undefined && 'message' in call
    ? { agentId: proxy.id, owner, messageId: call.message.messageId }
    : undefined;

/** Nothing came of the message: it may be sent again. Where this fails, its claim lapses. */
async function forgetClaim(invocation: Invocation, { store }: ForwardParts): Promise<void> {
  const key = claimOf(invocation);
  if (key === undefined || invocation.answeredTask !== undefined) return;
  await store.forgetMessage(key).catch(() => undefined);
}

type Answerer = (hand: CallInHand, parts: ForwardParts, flow: TaskFlow) => Promise<void>;

const byOperation: Readonly<Record<Call['operation'], Answerer>> = {
  send: answerSend,
  stream: answerStream,
  get: answerGet,
  list: async ({ exchange, writer }, { store, pageTokens }) => {
    const page = await listTasks(exchange, exchange.call as ListTasksCall, store, pageTokens);
    if (page === undefined)
      writer.fail({ reason: 'bad_request', message: 'page_token is none of this list' }, stageName);
    else writer.outcome({ kind: 'page', page });
  },
  cancel: answerCancel,
  subscribe: answerSubscribe,
  extendedCard: async ({ exchange, writer }, { loadCard }) => {
    const card = await loadCard(exchange);
    // It was deleted since the configuration was read.
    if (card === undefined) writer.fail({ reason: 'agent_access_denied' }, stageName);
    else writer.outcome({ kind: 'card', card });
  },
};

const contextOf = (invocation: Invocation): CallContext => ({
  signal: invocation.caller.signal,
  headers: callHeaders(invocation),
});

/** The message as the agent is to read it: with its own ids, and whole. */
export function upstreamCall({ call, task, upstreamContextId, upstreamReferences }: Invocation): SendCall {
  const send = call as SendCall;
  const message = omitUndefined({
    ...send.message,
    taskId: task?.upstreamId,
    contextId: upstreamContextId,
    referenceTaskIds: upstreamReferences,
  });
  return { ...send, message, historyLength: undefined };
}

async function* only(event: StreamEvent): AsyncGenerator<StreamEvent, void> {
  yield event;
}

const note = <Value>(invocation: Invocation, { value, route }: Answered<Value>): Value => {
  invocation.route = route;
  return value;
};

async function drain(steps: AsyncIterable<FlowStep>): Promise<void> {
  for await (const _ of steps);
}

async function answerSend(
  { exchange: invocation, writer }: CallInHand,
  { client }: ForwardParts,
  flow: TaskFlow,
): Promise<void> {
  const { proxy, recalled } = invocation;
  const { historyLength } = invocation.call as SendCall;
  if (recalled !== undefined) {
    invocation.answeredTask = recalled.task;
    return writer.outcome({ kind: 'sent', task: cutHistory(recalled.task, historyLength) });
  }
  const result = note(invocation, await client.send(proxy, upstreamCall(invocation), contextOf(invocation)));
  await drain(flow.run(only(result)));
  const { task, reply } = flow;
  if (task === undefined) throw new AgentFailure('nonsense', 'The agent answered with nothing that can be passed on');
  writer.outcome({ kind: 'sent', task: cutHistory(task, historyLength), message: reply });
}

async function answerStream(hand: CallInHand, { client }: ForwardParts, flow: TaskFlow): Promise<void> {
  const { exchange: invocation, writer } = hand;
  const { recalled } = invocation;
  if (recalled !== undefined) {
    invocation.answeredTask = recalled.task;
    writer.beginStream();
    await writer.event({ task: recalled.task }, recalled.task);
    return writer.endStream();
  }
  const events = note(
    invocation,
    await client.stream(invocation.proxy, upstreamCall(invocation), contextOf(invocation)),
  );
  await relay(hand, flow, events);
}

/** Tells the events as they come, until the task waits for its caller or has ended. */
async function relay(
  { exchange: invocation, writer }: CallInHand,
  flow: TaskFlow,
  events: AsyncIterable<StreamEvent>,
): Promise<void> {
  const historyLength = 'historyLength' in invocation.call ? invocation.call.historyLength : undefined;
  let hasBegun = false;
  for await (const { event, task } of flow.run(events)) {
    if (!hasBegun) writer.beginStream();
    hasBegun = true;
    const { reply } = flow;
    const update =
      'task' in event ? { task: cutHistory(task, historyLength) } : reply === undefined ? event : { message: reply };
    await writer.event(update, task);
    if (writer.isOver || isTerminal(task.status.state) || isInterrupted(task.status.state)) break;
  }
  if (!hasBegun) throw new AgentFailure('nonsense', 'The agent streamed nothing that can be passed on');
  writer.endStream();
}

async function answerGet(
  { exchange: invocation, writer }: CallInHand,
  parts: ForwardParts,
  flow: TaskFlow,
): Promise<void> {
  const { task: known } = invocation;
  if (known === undefined) throw new Error('No task was found');
  await refresh(invocation, known, parts, flow);
  invocation.answeredTask = flow.task ?? known.task;
  const { historyLength } = invocation.call as { readonly historyLength?: number };
  writer.outcome({ kind: 'task', task: cutHistory(invocation.answeredTask, historyLength) });
}

/** Asks the agent how a task that is open does. An agent that is away, or knows nothing of it, changes nothing. */
async function refresh(
  invocation: Invocation,
  known: StoredTask,
  { client }: ForwardParts,
  flow: TaskFlow,
): Promise<void> {
  const { upstreamId, task } = known;
  const { proxy } = invocation;
  if (upstreamId === undefined || isTerminal(task.status.state) || proxy.status !== 'active') return;
  const answered = await client
    .getTask(proxy, { operation: 'get', id: upstreamId }, contextOf(invocation))
    .catch((error: unknown) => {
      const failure = readFault(error);
      if (failure.kind === 'left') throw failure;
      invocation.agentProblem = failure.message;
    });
  if (answered !== undefined) await drain(flow.run(only({ task: note(invocation, answered) })));
}

/** An agent of before 1.0 may cancel later than it answers. */
const cancelLooks = 5;
const cancelLookMs = 400;

async function answerCancel(
  { exchange: invocation, writer }: CallInHand,
  parts: ForwardParts,
  flow: TaskFlow,
): Promise<void> {
  const { task: known, proxy } = invocation;
  const { upstreamId } = known ?? {};
  if (known === undefined || upstreamId === undefined || isTerminal(known.task.status.state)) {
    return writer.fail({ reason: 'task_not_cancelable' }, stageName);
  }
  const context = contextOf(invocation);
  let task = note(invocation, await parts.client.cancelTask(proxy, { operation: 'cancel', id: upstreamId }, context));
  for (let look = 0; look < cancelLooks && !isTerminal(task.status.state); look += 1) {
    await wait(cancelLookMs, undefined, { signal: context.signal });
    task = note(invocation, await parts.client.getTask(proxy, { operation: 'get', id: upstreamId }, context));
  }
  await drain(flow.run(only({ task })));
  writer.outcome({ kind: 'task', task: flow.task ?? known.task });
}

async function answerSubscribe(hand: CallInHand, { client }: ForwardParts, flow: TaskFlow): Promise<void> {
  const { exchange: invocation, writer } = hand;
  const { task: known, proxy, replies } = invocation;
  const { upstreamId } = known ?? {};
  if (known === undefined) throw new Error('No task was found');
  if (upstreamId === undefined || isTerminal(known.task.status.state)) {
    // Before 1.0 the end of a task is told, since then it is an error to ask.
    if (replies.version === '1.0') {
      return writer.fail(
        { reason: 'bad_request', error: a2aError('UNSUPPORTED_OPERATION', 'The task has ended') },
        stageName,
      );
    }
    writer.beginStream();
    await writer.event({ task: known.task }, known.task);
    return writer.endStream();
  }
  const call = { operation: 'subscribe', id: upstreamId } as const;
  await relay(hand, flow, note(invocation, await client.stream(proxy, call, contextOf(invocation))));
}

/** What the agent said is refused: the task has failed for its caller, and the agent need not go on with it. */
async function refuseAnswer(
  { denial, stage }: AnswerCut,
  { exchange: invocation, writer }: CallInHand,
  parts: ForwardParts,
  flow: TaskFlow,
): Promise<void> {
  const { upstreamId } = flow;
  const text = errorCatalogue[denial.reason].text;
  const ended = await flow.end(denial, text).catch(() => undefined);
  await forgetClaim(invocation, parts);
  if (ended !== undefined && invocation.statusCode === 200) await writer.event(ended.event, ended.task);
  writer.fail({ reason: denial.reason, message: denial.message }, stage);
  if (upstreamId === undefined) return;
  const context = { signal: AbortSignal.timeout(10_000), headers: callHeaders(invocation) };
  await parts.client
    .cancelTask(invocation.proxy, { operation: 'cancel', id: upstreamId }, context)
    .catch(() => undefined);
}
