import type { Route } from '@portcullis/core/a2a/protocol-version';

/** An agent as calls need it. */
export interface UpstreamAgent {
  readonly id: number;
  /** Interfaces that the gateway can call, the one to call first. Never empty. */
  readonly routes: readonly Route[];
  /** Its card says that it streams. */
  readonly streams: boolean;
  /** Headers with which the gateway shows an interface of the agent who it is. */
  readonly credentialsFor: (url: string) => Readonly<Record<string, string>>;
}

/** What goes with one call. */
export interface CallContext {
  /** Aborted when the caller leaves: the call upstream ends. */
  readonly signal: AbortSignal;
  /** Of the gateway, such as `traceparent`. None of the caller's own is ever among them. */
  readonly headers?: Readonly<Record<string, string>>;
}
