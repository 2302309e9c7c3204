import type { Task } from '@portcullis/core/a2a/task';

/** Whose tasks they are: of a user group with all its keys, since keys are replaced, or of an admin. */
export type TaskOwner = `group:${number}` | `user:${number}`;

/** A task of an agent as its caller knows it, and what the agent calls it. */
export interface StoredTask {
  readonly agentId: number;
  readonly owner: TaskOwner;
  /** With ids of the gateway; its context is always named. */
  readonly task: Task & { readonly contextId: string };
  /** Undefined for a task that the gateway made of a message. */
  readonly upstreamId: string | undefined;
  readonly upstreamContextId: string | undefined;
  readonly changedAt: Date;
}
