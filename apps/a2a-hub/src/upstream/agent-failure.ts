import type { A2aError } from '@portcullis/core/a2a/a2a-error';

/**
 * Why an agent gave no answer that could be used.
 * - `refused`: the gateway does not connect to its address.
 * - `unreachable`: no connection came about, so nothing of the request left.
 * - `timeout`: it took too long, or paused too long.
 * - `broken`: the connection ended before the answer did.
 * - `too_large`: an answer, an event or a whole stream beyond its bound.
 * - `nonsense`: an answer that is none.
 * - `error`: the agent itself answered with an error of the protocol.
 * - `status`: it answered with an HTTP status that is no success, and with nothing of the protocol.
 * - `redirected`: it answered with the address of another place, where no call of a caller is sent.
 * - `left`: the caller has gone.
 */
export type AgentFailureKind =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'broken'
  | 'too_large'
  | 'nonsense'
  | 'error'
  | 'status'
  | 'redirected'
  | 'left';

interface AgentFailureDetails {
  /** What the agent said, of kind `error`. */
  readonly error?: A2aError;
  /** The agent cannot have acted on the request. */
  readonly untouched?: boolean;
  /** Where it redirects to, of kind `redirected`: origin and path. */
  readonly address?: string;
  readonly cause?: unknown;
}

/** A call of an agent that came to nothing. The message is for the log and for admins. */
export class AgentFailure extends Error {
  readonly kind: AgentFailureKind;
  readonly error: A2aError | undefined;
  readonly untouched: boolean;
  readonly address: string | undefined;

  constructor(
    kind: AgentFailureKind,
    message: string,
    { error, untouched = false, address, cause }: AgentFailureDetails = {},
  ) {
    super(message, { cause });
    this.name = 'AgentFailure';
    this.kind = kind;
    this.error = error;
    this.address = address;
    this.untouched = untouched || kind === 'refused' || kind === 'unreachable';
  }
}
