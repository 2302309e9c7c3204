import type { ErrorReason } from '@portcullis/contracts/errors';
import type { Problem } from '@portcullis/contracts/envelope';
import type { agentSurfaces } from '@portcullis/contracts/records';
import type { A2aError } from '@portcullis/core/a2a/a2a-error';
import type { Call } from '@portcullis/core/a2a/call';
import type { JsonObject } from '@portcullis/core/json/json-object';
import type { Message, StreamEvent, Task, TaskPage } from '@portcullis/core/a2a/task';

/** What a caller asks of an agent. */
export interface Asked {
  readonly agentId: number;
  readonly call: Call;
  /** The caller has named the message itself. */
  readonly isNamed: boolean;
}

/** Why a call comes to nothing, for its caller. */
export interface Failure {
  readonly reason: ErrorReason;
  /** A sentence beyond the catalogue's text. */
  readonly message?: string | undefined;
  /** What the protocol calls it, where it does. */
  readonly error?: A2aError | undefined;
  readonly problems?: readonly Problem[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of a rate limit, calls per minute. */
  readonly limit?: number | undefined;
  readonly requestId: string;
}

/** What came of a call. */
export type Outcome =
  /** Of a message; with the words of an agent that answered with them alone. */
  | { readonly kind: 'sent'; readonly task: Task; readonly message?: Message | undefined }
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'page'; readonly page: TaskPage }
  /** The card of the agent, rendered for the caller's generation. */
  | { readonly kind: 'card'; readonly card: JsonObject };

/** An answer as it goes to the caller. */
export interface Rendered {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/** The words in which a caller is answered. */
export interface Replies {
  /** Generation of A2A that the caller speaks, for the log. */
  readonly version: string | undefined;
  outcome(outcome: Outcome): Rendered;
  failure(failure: Failure): Rendered;
  /** The data of an event; undefined for one that has no place in the caller's words. @param task after the event */
  event(event: StreamEvent, task: Task | undefined): object | undefined;
  failedEvent(failure: Failure): object;
}

/** A parsed request to a surface. */
export interface SurfaceRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
  /** Undefined without one. */
  readonly body: unknown;
}

export type Reading = { readonly replies: Replies } & (
  | { readonly asked: Asked; readonly failure?: never }
  | { readonly failure: Omit<Failure, 'requestId'>; readonly asked?: never }
);

/** A place where calls of agents come in, with its own way to ask and to be answered. */
export interface Surface {
  readonly name: (typeof agentSurfaces)[number];
  /** Whether a request without a body can be one. */
  readonly mayBeEmpty: boolean;
  /** How refusals are rendered before the request was read. */
  readonly replies: Replies;
  read(request: SurfaceRequest): Reading;
}
