import type { JsonPath } from '@portcullis/core/json/visit-strings';
import type { DeclaredMedia } from './declared-media.ts';
import type { TextSource } from './text-source.ts';

/** A piece of text in a stream. Pieces of one channel belong together, however they are cut. */
export interface StreamText {
  readonly channel: string;
  readonly text: string;
  /** Where in the event's data it stands; empty when the data is the text itself. */
  readonly path: JsonPath;
  /** It is a key, not a value. */
  readonly isKey: boolean;
  /** Nothing continues it: what comes next in its channel begins anew. */
  readonly isLast?: true;
  /** It is complete in itself and continues nothing. */
  readonly alone?: true;
  /** It is a long number, as its digits. */
  readonly isNumber?: boolean;
  /** It is declared to be a file in base64, or a piece of one. */
  readonly media?: DeclaredMedia;
  /** It is a piece of JSON source, such as the arguments of a call. */
  readonly isJson?: boolean;
  /** It stands in what its provider has signed, and must reach the client as it is. */
  readonly isSigned?: boolean;
  /** Who its channel is by, where that is not the side that answers. */
  readonly source?: TextSource;
}

/** A parsed value that is complete in itself: nothing in it waits for what follows. */
export interface ValueContent {
  readonly kind: 'value';
  readonly value: unknown;
  /** Which of its strings are texts, where others are names of the protocol; all unless given. */
  readonly isText?: (path: JsonPath, isKey: boolean) => boolean;
}

export type UnitContent =
  /** Texts that continue those of earlier units in the same channel. */
  { readonly kind: 'texts'; readonly texts: readonly StreamText[] } | ValueContent;

/** The smallest part of an answer that is sent or held as a whole, as far as policies read it. */
export interface InspectedUnit {
  readonly content: UnitContent;
  /** What stands beside its data and reaches the client all the same: of an event its name, its id, comments. */
  readonly lines?: string | undefined;
  /** What in it a policy cannot read as its client might; absent where there is nothing. */
  readonly unreadable?: string;
}
