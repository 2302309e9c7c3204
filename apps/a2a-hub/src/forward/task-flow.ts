import { applyEvent } from '@portcullis/core/a2a/apply-event';
import { completeMessage } from '@portcullis/core/a2a/complete-message';
import type { Message, StreamEvent } from '@portcullis/core/a2a/task';
import { isTerminal } from '@portcullis/core/a2a/task-state';
import type { ResponseChain } from '@portcullis/core/pipeline/response-chain';
import type { Denial } from '@portcullis/core/pipeline/stage';
import { randomUUID } from 'node:crypto';
import { adoptEvent } from '../tasks/adopt-task.ts';
import type { StoredTask } from '../tasks/stored-task.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import { AgentFailure } from '../upstream/agent-failure.ts';
import { beginTask, emptyTask, storedTask, upstreamIdOf, type TaskInHand } from './begin-task.ts';
import { eventUnit, type EventUnit } from '../invocation/event-unit.ts';
import type { Invocation } from '../invocation/invocation.ts';
import { ArtifactTexts } from './artifact-texts.ts';
import { releaseUnits } from './release-units.ts';
import { makeId } from '../invocation/task-ids.ts';

/** An event as its caller may see it, and the task after it. */
export interface FlowStep {
  readonly event: StreamEvent;
  readonly task: StoredTask['task'];
}

interface TaskFlowParts {
  readonly store: TaskStore;
  readonly chain: ResponseChain<EventUnit>;
}

/**
 * The events of an agent on their way to a caller: put under the ids of the gateway, inspected, taken into the task, and
 * kept before the caller sees what changed.
 */
export class TaskFlow {
  readonly #invocation: Invocation;
  readonly #parts: TaskFlowParts;
  #hand: TaskInHand | undefined;
  #task: StoredTask['task'] | undefined;
  /** An agent that answers with words alone. */
  #reply: Message | undefined;
  #isKept = true;
  readonly #known: ArtifactTexts;

  constructor(invocation: Invocation, parts: TaskFlowParts) {
    this.#invocation = invocation;
    this.#parts = parts;
    this.#task = invocation.task?.task;
    this.#known = new ArtifactTexts(this.#task);
  }

  /** As it is known by now. */
  get task(): StoredTask['task'] | undefined {
    return this.#task;
  }

  /** The words of an agent that answered with them alone. */
  get reply(): Message | undefined {
    return this.#reply;
  }

  get upstreamId(): string | undefined {
    return this.#hand?.ids.upstreamId ?? this.#invocation.task?.upstreamId;
  }

  /** @throws {AgentFailure} @throws {AnswerCut} */
  async *run(events: AsyncIterable<StreamEvent>): AsyncGenerator<FlowStep, void> {
    try {
      for await (const { event } of releaseUnits(this.#parts.chain, this.#adopt(events))) {
        const before = this.#task?.status.state;
        if (!this.#take(event) || this.#task === undefined) continue;
        this.#isKept = false;
        if (before !== this.#task.status.state || this.#invocation.answeredTask === undefined) await this.keep();
        yield { event, task: this.#task };
      }
    } finally {
      await this.keep();
    }
  }

  /** Keeps the task as it is now, and that it came of its message. */
  async keep(): Promise<void> {
    if (this.#isKept || this.#task === undefined) return;
    const { store } = this.#parts;
    const invocation = this.#invocation;
    const isFirst = invocation.answeredTask === undefined;
    this.#isKept = true;
    invocation.answeredTask = this.#task;
    const { call, owner, proxy, claimed } = invocation;
    const isOfMessage = isFirst && claimed && owner !== undefined && 'message' in call;
    const message = isOfMessage ? { agentId: proxy.id, owner, messageId: call.message.messageId } : undefined;
    await store.save(storedTask(invocation, this.#task, this.#hand), message);
  }

  /** Ends the task for its caller, whose answer was refused. Answers what tells it; undefined where no task is known. */
  async end({ reason }: Denial, text: string): Promise<FlowStep | undefined> {
    const ids = this.#hand?.ids;
    const task = this.#task ?? (ids && emptyTask(ids));
    if (task === undefined || isTerminal(task.status.state)) return undefined;
    const message: Message = {
      messageId: randomUUID(),
      role: 'ROLE_AGENT',
      parts: [{ text }],
      taskId: task.id,
      contextId: task.contextId,
      metadata: { reason },
    };
    const status = { state: 'TASK_STATE_FAILED', message, timestamp: new Date().toISOString() } as const;
    this.#task = { ...task, status };
    this.#isKept = false;
    await this.keep();
    return { event: { statusUpdate: { taskId: task.id, contextId: task.contextId, status } }, task: this.#task };
  }

  /** What is about other tasks than the caller's is left out. */
  async *#adopt(events: AsyncIterable<StreamEvent>): AsyncGenerator<EventUnit, void> {
    for await (const event of events) {
      const upstreamId = upstreamIdOf(event);
      if (upstreamId === undefined && this.#hand === undefined) {
        yield eventUnit(event);
        continue;
      }
      if (upstreamId !== undefined) {
        this.#hand ??= await beginTask(this.#invocation, event, upstreamId, this.#parts.store);
      }
      const adopted = this.#hand && adoptEvent(event, this.#hand.ids);
      if (adopted === undefined) this.#invocation.foreignEvents += 1;
      else yield eventUnit(adopted, this.#known.before(adopted));
    }
  }

  /** False for an event that changes nothing that may change. */
  #take(event: StreamEvent): boolean {
    if (this.#hand === undefined && 'message' in event) {
      this.#takeReply(event.message);
      return true;
    }
    const known = this.#task ?? (this.#hand && emptyTask(this.#hand.ids));
    if (known === undefined) return false;
    if (this.#task === undefined && 'task' in event) {
      this.#task = { ...event.task, contextId: event.task.contextId ?? known.contextId };
      return true;
    }
    const { task, problem } = applyEvent(known, event);
    if (problem === 'too_large')
      throw new AgentFailure('too_large', 'The task has too many messages, artifacts or parts');
    if (task === undefined) return false;
    this.#task = { ...task, contextId: task.contextId ?? known.contextId };
    return true;
  }

  /** Replies that belong to no task are one that is completed; in the course of a task they are a part of it. */
  #takeReply(message: Message): void {
    const { spoken: call } = this.#invocation;
    this.#reply = message;
    const { task } = this;
    if (task !== undefined) {
      const said = { ...message, taskId: task.id, contextId: task.contextId };
      this.#task = { ...task, history: [...(task.history ?? []), said] };
      return;
    }
    if (!('message' in call)) return;
    const contextId = call.message.contextId ?? makeId();
    const ids = { taskId: makeId(), contextId, artifactId: randomUUID() };
    this.#reply = { ...message, contextId };
    this.#task = { ...completeMessage(call.message, message, ids, new Date().toISOString()), contextId };
  }
}
