import type { Call, CancelTaskCall, GetTaskCall, SendCall, SubscribeCall } from '@portcullis/core/a2a/call';
import type { Parsed } from '@portcullis/core/a2a/member-reader';
import { parseSendResult, parseTask } from '@portcullis/core/a2a/parse-task';
import type { Route } from '@portcullis/core/a2a/protocol-version';
import type { SendResult, StreamEvent, Task } from '@portcullis/core/a2a/task';
import type { WireForm } from '@portcullis/core/a2a/wire-form';
import { readBounded } from '@portcullis/platform/http/read-bounded';
import { randomUUID } from 'node:crypto';
import { request, type Dispatcher } from 'undici';
import { openAgentConnections, type ConnectionOptions } from './agent-connections.ts';
import { AgentFailure } from './agent-failure.ts';
import { defaultCallLimits, type CallLimits } from './call-limits.ts';
import { readEventStream } from './event-stream.ts';
import { findNextRoute } from './find-next-route.ts';
import { openDeadline, type Deadline } from './open-deadline.ts';
import { readAnswer } from './read-answer.ts';
import { readFault } from './read-fault.ts';
import type { CallContext, UpstreamAgent } from './upstream-agent.ts';
import { renderWireRequest } from './wire-request.ts';

/** An answer, and over which interface it came. */
export interface Answered<Value> {
  readonly value: Value;
  readonly route: Route;
}

/**
 * Calls agents of every generation. All of it fails with an `AgentFailure`. A call is repeated once at most, on another
 * interface, and only where the agent cannot have acted on it.
 */
export interface AgentClient extends AsyncDisposable {
  send(agent: UpstreamAgent, call: SendCall, context: CallContext): Promise<Answered<SendResult>>;
  /**
   * Resolves when the first event is there. Ending the iteration ends the call. An agent that does not stream answers
   * with one event.
   */
  stream(
    agent: UpstreamAgent,
    call: SendCall | SubscribeCall,
    context: CallContext,
  ): Promise<Answered<AsyncGenerator<StreamEvent, void>>>;
  getTask(agent: UpstreamAgent, call: GetTaskCall, context: CallContext): Promise<Answered<Task>>;
  cancelTask(agent: UpstreamAgent, call: CancelTaskCall, context: CallContext): Promise<Answered<Task>>;
}

interface OpenAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Dispatcher.ResponseData['body'];
  readonly id: string;
}

type Read<Value> = (value: unknown, form: WireForm) => Parsed<Value>;

export function createAgentClient(options: ConnectionOptions, limits: CallLimits = defaultCallLimits): AgentClient {
  const connections = openAgentConnections(options, limits);
  // What was learned of the interfaces of a card: which of them the agent really speaks.
  const learned = new WeakMap<UpstreamAgent['routes'], Route>();

  const open = async (
    agent: UpstreamAgent,
    route: Route,
    call: Call,
    context: CallContext,
    deadline: Deadline,
  ): Promise<OpenAnswer> => {
    const id = randomUUID();
    const { url, ...rest } = renderWireRequest(agent, route, call, id, context);
    const { statusCode, headers, body } = await request(url, {
      ...rest,
      dispatcher: connections,
      signal: deadline.signal,
    }).catch((error: unknown) => {
      throw readFault(error);
    });
    return { status: statusCode, contentType: String(headers['content-type'] ?? ''), body, id };
  };

  const readWhole = async ({ body }: OpenAnswer): Promise<string> => {
    const text = await readBounded(body, limits.bodyBytes).catch((error: unknown) => {
      throw readFault(error);
    });
    if (text === undefined) throw new AgentFailure('too_large', `The answer has more than ${limits.bodyBytes} bytes`);
    return text;
  };

  /** Tries a call on the interface that is known to work, and once more on another where nothing was taken. */
  const attempt = async <Value>(
    agent: UpstreamAgent,
    run: (route: Route) => Promise<Value>,
  ): Promise<Answered<Value>> => {
    const first = learned.get(agent.routes) ?? firstOf(agent);
    try {
      return { value: await run(first), route: first };
    } catch (error) {
      const failure = readFault(error);
      const next = findNextRoute(agent.routes, first, failure);
      if (next === undefined) throw failure;
      const value = await run(next).catch((second: unknown) => {
        // The first answer says more about the agent than what a guess came to.
        throw readFault(second).untouched ? failure : readFault(second);
      });
      learned.set(agent.routes, next);
      return { value, route: next };
    }
  };

  const ask = <Value>(agent: UpstreamAgent, call: Call, context: CallContext, read: Read<Value>) =>
    attempt(agent, async (route) => {
      using deadline = openDeadline(context.signal, limits.totalTimeoutMs);
      const answer = await open(agent, route, call, context, deadline);
      const { id, status } = answer;
      return readAnswer(await readWhole(answer), { route, id, status, read });
    });

  const streamOn = async (
    agent: UpstreamAgent,
    route: Route,
    call: Call,
    context: CallContext,
  ): Promise<AsyncGenerator<StreamEvent, void>> => {
    using stack = new DisposableStack();
    const deadline = stack.use(openDeadline(context.signal, limits.totalTimeoutMs));
    const answer = await openSubscribed(agent, route, call, context, deadline);
    const { id, status, contentType, body } = answer;
    if (status !== 200 || !contentType.startsWith('text/event-stream')) {
      return only(readAnswer(await readWhole(answer), { route, id, status, read: parseSendResult }));
    }
    const events = readEventStream(body, { route, id }, limits);
    const first = await events.next();
    if (first.done === true) throw new AgentFailure('nonsense', 'The agent streamed nothing');
    return continueWith(first.value, events, stack.move());
  };

  /** To go on with a stream is a POST in the text of the protocol and a GET in its definition. */
  const openSubscribed: typeof open = async (agent, route, call, context, deadline) => {
    const answer = await open(agent, route, call, context, deadline);
    if (call.operation !== 'subscribe' || route.binding === 'JSONRPC') return answer;
    if (answer.status !== 404 && answer.status !== 405) return answer;
    try {
      return readAnswer(await readWhole(answer), { ...answer, route, read: () => ({ problems: [] }) });
    } catch (error) {
      // The agent has such an endpoint, and says something of the task.
      if (readFault(error).kind !== 'status') throw error;
    }
    const { url, headers } = renderWireRequest(agent, route, call, answer.id, context);
    const again = await request(url, { method: 'GET', headers, dispatcher: connections, signal: deadline.signal });
    return {
      ...answer,
      status: again.statusCode,
      contentType: String(again.headers['content-type'] ?? ''),
      body: again.body,
    };
  };

  return {
    send: (agent, call, context) => ask(agent, { ...call, operation: 'send' }, context, parseSendResult),
    getTask: (agent, call, context) => ask(agent, call, context, parseTask),
    cancelTask: (agent, call, context) => ask(agent, call, context, parseTask),

    async stream(agent, call, context) {
      if (agent.streams || call.operation === 'subscribe') {
        try {
          return await attempt(agent, (route) => streamOn(agent, route, call, context));
        } catch (error) {
          const isUnsupported = readFault(error).error?.reason === 'UNSUPPORTED_OPERATION';
          if (!isUnsupported || call.operation === 'subscribe') throw error;
        }
      }
      const send = { ...call, operation: 'send', returnImmediately: undefined } as SendCall;
      const { value, route } = await ask(agent, send, context, parseSendResult);
      return { value: only(value), route };
    },

    [Symbol.asyncDispose]: () => connections.destroy(),
  };
}

function firstOf({ routes: [first] }: UpstreamAgent): Route {
  if (first === undefined) throw new AgentFailure('nonsense', 'The agent has no interface that can be called');
  return first;
}

async function* only(event: StreamEvent): AsyncGenerator<StreamEvent, void> {
  yield event;
}

async function* continueWith(
  first: StreamEvent,
  rest: AsyncGenerator<StreamEvent, void>,
  resources: Disposable,
): AsyncGenerator<StreamEvent, void> {
  using _ = resources;
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}
