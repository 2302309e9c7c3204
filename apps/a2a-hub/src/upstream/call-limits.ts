import { a2aLimits } from '@portcullis/core/a2a/a2a-limits';

/** What an agent may take, of time and of room. */
export interface CallLimits {
  /** Until the headers of an answer, which an agent that works on a task holds back. */
  readonly headersTimeoutMs: number;
  /** Between two pieces of an answer. */
  readonly idleTimeoutMs: number;
  /** A whole call, a stream included. */
  readonly totalTimeoutMs: number;
  readonly bodyBytes: number;
  readonly eventBytes: number;
  readonly streamEvents: number;
  readonly streamBytes: number;
}

const mib = 1_048_576;

export const defaultCallLimits: CallLimits = {
  headersTimeoutMs: 300_000,
  idleTimeoutMs: 300_000,
  totalTimeoutMs: 3_600_000,
  bodyBytes: a2aLimits.bodyBytes,
  eventBytes: a2aLimits.eventBytes,
  streamEvents: 20_000,
  streamBytes: 64 * mib,
};
