import type { JsonObject } from '../json/json-object.ts';
import type { TaskState } from './task-state.ts';

export type Role = 'ROLE_USER' | 'ROLE_AGENT';

interface PartDetails {
  readonly filename?: string | undefined;
  readonly mediaType?: string | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** One piece of a message or artifact, as A2A 1.0 writes it: exactly one of the four members says what it is. */
export type Part = PartDetails &
  (
    | { readonly text: string }
    /** Bytes of a file, in base64. */
    | { readonly raw: string }
    /** Where a file is. Never fetched by the gateway. */
    | { readonly url: string }
    /** Any JSON value. */
    | { readonly data: unknown }
  );

export interface Message {
  readonly messageId: string;
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly contextId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly referenceTaskIds?: readonly string[] | undefined;
  readonly extensions?: readonly string[] | undefined;
  readonly metadata?: JsonObject | undefined;
}

export interface TaskStatus {
  readonly state: TaskState;
  readonly message?: Message | undefined;
  /** ISO 8601. */
  readonly timestamp?: string | undefined;
}

export interface Artifact {
  readonly artifactId: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly parts: readonly Part[];
  readonly extensions?: readonly string[] | undefined;
  readonly metadata?: JsonObject | undefined;
}

export interface Task {
  readonly id: string;
  readonly contextId?: string | undefined;
  readonly status: TaskStatus;
  readonly artifacts?: readonly Artifact[] | undefined;
  readonly history?: readonly Message[] | undefined;
  readonly metadata?: JsonObject | undefined;
}

export interface StatusUpdate {
  readonly taskId: string;
  readonly contextId?: string | undefined;
  readonly status: TaskStatus;
  readonly metadata?: JsonObject | undefined;
}

export interface ArtifactUpdate {
  readonly taskId: string;
  readonly contextId?: string | undefined;
  readonly artifact: Artifact;
  /** The parts go behind those that the artifact has, instead of in their place. */
  readonly append?: boolean | undefined;
  readonly lastChunk?: boolean | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** What an agent answers to a message. */
export type SendResult = { readonly task: Task } | { readonly message: Message };

/** What an agent sends on a stream, one at a time. */
export type StreamEvent =
  | SendResult
  | { readonly statusUpdate: StatusUpdate }
  | { readonly artifactUpdate: ArtifactUpdate };

export interface TaskPage {
  readonly tasks: readonly Task[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}
