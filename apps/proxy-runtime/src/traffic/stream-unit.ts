import type { StreamText } from '../dialects/dialect.ts';

/** The smallest part of a response that is sent or held as a whole: an event, a chunk, a JSON body. */
export interface StreamUnit {
  readonly bytes: Buffer;
  /** How its texts stand in the bytes: as they are, in JSON source, in a member of a JSON list, in the data of an event. */
  readonly form: 'text' | 'json' | 'member' | 'event';
  /** What a policy may read in it. */
  readonly content: UnitContent;
  /** With this unit the client has its complete answer, so its records must be safe before it leaves. */
  readonly terminal: boolean;
  /** Of an event that its dialect counts. */
  readonly sequence?: number | undefined;
  /** The lines of an event beside its data: its name, its id, comments. */
  readonly lines?: string | undefined;
  /** What in it a policy cannot read as its client might; absent where there is nothing. */
  readonly unreadable?: string;
}

export type UnitContent =
  /** Texts that continue those of earlier units in the same channel. */
  | { readonly kind: 'texts'; readonly texts: readonly StreamText[] }
  /** A parsed value that is complete in itself: nothing in it waits for what follows. */
  | { readonly kind: 'value'; readonly value: unknown };

/** Nothing to read. */
export const noContent: UnitContent = Object.freeze({ kind: 'texts', texts: [] });

export const readText = (channel: string, text: string): UnitContent => ({
  kind: 'texts',
  texts: [{ channel, text, path: [], isKey: false }],
});
