import type { Severity } from '@portcullis/contracts/records';

/** What became of a call, as far as it tells something about the caller. */
export type CallOutcome =
  | 'served'
  /** A policy refused it. */
  | 'blocked'
  /** Access, tools, limits: the caller may not. */
  | 'denied'
  /** No key, or none that is known. */
  | 'unidentified'
  /** The target answered with a fault of the call, such as an unknown tool or path. */
  | 'failed';

/** One call, in names and figures. It never holds a text that was sent. */
export interface Observation {
  /** Whose history it belongs to: `key:7`, or `address:203.0.113.9` where no key was accepted. */
  readonly principal: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** `tools/call`, `tools/list`, or the path of the request. */
  readonly method: string;
  /** The tool, resource, prompt or model that was named. */
  readonly name: string | undefined;
  readonly outcome: CallOutcome;
  /** Stands for the key that was presented, where none was accepted; any number, equal for equal keys. */
  readonly presented: number | undefined;
  /** Tokens among the arguments that look random, see `countRandomTokens`. */
  readonly randomTokens: number;
}

/** Something unusual about how a principal calls. Never a reason to refuse anything. */
export interface Suspicion {
  readonly ruleId: string;
  readonly title: string;
  /** A sentence about what was seen. */
  readonly description: string;
  readonly severity: Severity;
  /** 0 to 1. */
  readonly confidence: number;
}
