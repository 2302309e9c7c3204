import type { StreamText } from '../protocols/protocol.ts';

/** The smallest part of a response that is sent or held as a whole: an event, a chunk, a JSON body. */
export interface StreamUnit {
  readonly bytes: Buffer;
  /** The texts in it, in order; unless `complete`, pieces of one channel continue those of earlier units. */
  readonly texts: readonly StreamText[];
  /** True when each text is complete in itself, so that nothing needs to wait for what follows. */
  readonly complete: boolean;
  /** With this unit the client has its complete answer, so its records must be safe before it leaves. */
  readonly terminal: boolean;
}
