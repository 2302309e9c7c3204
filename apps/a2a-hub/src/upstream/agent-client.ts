import type { CancelTaskCall, GetTaskCall, SendCall, SubscribeCall } from '@portcullis/core/a2a/call';
import type { Parsed } from '@portcullis/core/a2a/member-reader';
import { parseSendResult, parseTask } from '@portcullis/core/a2a/parse-task';
import type { SendResult, StreamEvent, Task } from '@portcullis/core/a2a/task';
import type { WireForm } from '@portcullis/core/a2a/wire-form';
import { AgentCalls, type WireCall } from './agent-calls.ts';
import { openAgentConnections, type ConnectionOptions } from './agent-connections.ts';
import { AgentFailure } from './agent-failure.ts';
import { defaultCallLimits, type CallLimits } from './call-limits.ts';
import { readEventStream } from './event-stream.ts';
import { openDeadline } from './open-deadline.ts';
import { readAnswer } from './read-answer.ts';
import { readFault } from './read-fault.ts';
import { RouteChoice, type Answered } from './route-choice.ts';
import type { CallContext, UpstreamAgent } from './upstream-agent.ts';

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

type Read<Value> = (value: unknown, form: WireForm) => Parsed<Value>;

export function createAgentClient(options: ConnectionOptions, limits: CallLimits = defaultCallLimits): AgentClient {
  return new HttpAgentClient(options, limits);
}

class HttpAgentClient implements AgentClient {
  readonly #limits: CallLimits;
  readonly #connections;
  readonly #calls: AgentCalls;
  readonly #routes = new RouteChoice();

  constructor(options: ConnectionOptions, limits: CallLimits) {
    this.#limits = limits;
    this.#connections = openAgentConnections(options, limits);
    this.#calls = new AgentCalls(this.#connections, limits.bodyBytes);
  }

  send(agent: UpstreamAgent, call: SendCall, context: CallContext): Promise<Answered<SendResult>> {
    return this.#ask({ agent, call: { ...call, operation: 'send' }, context }, parseSendResult);
  }

  getTask(agent: UpstreamAgent, call: GetTaskCall, context: CallContext): Promise<Answered<Task>> {
    return this.#ask({ agent, call, context }, parseTask);
  }

  cancelTask(agent: UpstreamAgent, call: CancelTaskCall, context: CallContext): Promise<Answered<Task>> {
    return this.#ask({ agent, call, context }, parseTask);
  }

  async stream(
    agent: UpstreamAgent,
    call: SendCall | SubscribeCall,
    context: CallContext,
  ): Promise<Answered<AsyncGenerator<StreamEvent, void>>> {
    if (agent.streams || call.operation === 'subscribe') {
      try {
        return await this.#routes.attempt(agent, (route) => this.#streamOn({ agent, route, call, context }));
      } catch (error) {
        const isUnsupported = readFault(error).error?.reason === 'UNSUPPORTED_OPERATION';
        if (!isUnsupported || call.operation === 'subscribe') throw error;
      }
    }
    const send = { ...call, operation: 'send', returnImmediately: undefined } as SendCall;
    const { value, route } = await this.#ask({ agent, call: send, context }, parseSendResult);
    return { value: only(value), route };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connections.destroy();
  }

  #ask<Value>(asked: Omit<WireCall, 'route'>, read: Read<Value>): Promise<Answered<Value>> {
    return this.#routes.attempt(asked.agent, async (route) => {
      using deadline = openDeadline(asked.context.signal, this.#limits.totalTimeoutMs);
      const answer = await this.#calls.open({ ...asked, route }, deadline);
      const { id, status } = answer;
      return readAnswer(await this.#calls.readWhole(answer), { route, id, status, read });
    });
  }

  async #streamOn(wire: WireCall): Promise<AsyncGenerator<StreamEvent, void>> {
    using stack = new DisposableStack();
    const { route } = wire;
    const deadline = stack.use(openDeadline(wire.context.signal, this.#limits.totalTimeoutMs));
    const answer = await this.#calls.openStream(wire, deadline);
    const { id, status, contentType, body } = answer;
    if (status !== 200 || !contentType.startsWith('text/event-stream')) {
      return only(readAnswer(await this.#calls.readWhole(answer), { route, id, status, read: parseSendResult }));
    }
    const events = readEventStream(body, { route, id }, this.#limits);
    const first = await events.next();
    if (first.done === true) throw new AgentFailure('nonsense', 'The agent streamed nothing');
    return continueWith(first.value, events, stack.move());
  }
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
