import type { ErrorReason } from '@portcullis/contracts/errors';
import type { ProxyType } from '@portcullis/contracts/records';

/** What a stage's own fault (a throw, a rejection) means for the exchange. */
export type OnFault = 'deny' | 'allow' | 'degrade';

export interface Denial {
  readonly reason: ErrorReason;
  /** A sentence for the client beyond the catalogue's text. Never evidence, never internals. */
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A synthetic answer of the gateway itself. */
export interface Reply {
  readonly status: number;
  /** For the status line, printable ASCII; that of the status unless given. */
  readonly statusText?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export type Verdict =
  | { readonly kind: 'next' }
  | { readonly kind: 'deny'; readonly denial: Denial }
  | { readonly kind: 'reply'; readonly reply: Reply };

export const next: Verdict = Object.freeze({ kind: 'next' });
export const deny = (reason: ErrorReason, extra: Omit<Denial, 'reason'> = {}): Verdict => ({
  kind: 'deny',
  denial: { reason, ...extra },
});
export const reply = (value: Reply): Verdict => ({ kind: 'reply', reply: value });

/** What happens to a request. `run` is synchronous unless it truly waits for something. */
export interface RequestStage<Exchange> {
  readonly name: string;
  /** Where a setting has exchanges go on without this stage when it breaks, though its row denies. */
  readonly maySkip?: {
    /** For the printed table. */
    readonly where: string;
    readonly holds: (exchange: Exchange) => boolean;
  };
  run(exchange: Exchange): Verdict | Promise<Verdict>;
}

/**
 * What a response filter decides on the units it was given. Released units go on to the next
 * filter in order; held ones stay inside the filter, within its declared bound.
 */
export type StreamVerdict<Unit> =
  | { readonly kind: 'release'; readonly units: readonly Unit[] }
  | { readonly kind: 'hold' }
  | { readonly kind: 'cut'; readonly denial: Denial; readonly units: readonly Unit[] };

/** One exchange's transform of the response stream. */
export interface ResponseFilter<Unit> {
  push(unit: Unit): StreamVerdict<Unit>;
  /** The target has finished: everything held must be released or cut now, unless the filter says that it waits. */
  end(): StreamVerdict<Unit>;
  /** It was ended and still holds units whose verdict is on its way. It wakes the chain when it comes. */
  readonly waiting?: boolean;
  /** It holds so much that the target should pause. */
  readonly congested?: boolean;
  /** Called after it woke the chain: what it can decide now. */
  wake?(): StreamVerdict<Unit>;
  /** The exchange is over, with or without what is held. */
  close?(): void;
}

/** What happens to an answer. `open` answers undefined when it has nothing to do for this exchange. */
export interface ResponseStage<Exchange, Unit> {
  readonly name: string;
  /** @param wake for filters whose verdicts come later: makes the chain ask `wake` of the filter */
  open(exchange: Exchange, wake: () => void): ResponseFilter<Unit> | undefined;
}

/** What happens once to every exchange, however it ended. */
export interface SettleStage<Exchange> {
  readonly name: string;
  run(exchange: Exchange): void;
}

/** Sends the exchange to its target; its answer goes on from there. */
export interface ForwardStage<Parts> {
  readonly name: string;
  run(parts: Parts): void;
}

/** A row of the pipeline: a stage, and everything about it that a reader of the table wants to know. */
export interface Row<Stage> {
  readonly stage: Stage;
  readonly on: readonly ProxyType[];
  readonly onFault: OnFault;
  /** HTTP statuses with which it refuses, its own faults aside. Empty: it refuses nothing. */
  readonly status: readonly number[];
  /** Of a settle stage: it also runs while an answer without end is open, each time something was found in it. */
  readonly whileOpen: boolean;
}

export const row = <Stage>(
  stage: Stage,
  on: readonly ProxyType[],
  { onFault = 'degrade', status = [], whileOpen = false }: Partial<Omit<Row<Stage>, 'stage' | 'on'>> = {},
): Row<Stage> => ({ stage, on, onFault, status, whileOpen });
