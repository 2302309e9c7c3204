import type { Json, JsonPath } from '@portcullis/testkit/json-leaves';

/** An event of a stream: its name, where it has one, and its data. */
export type Event = readonly [name: string | undefined, data: Json];

/** A text that clients put together over events: the number of the event that brings a piece of it, and where in it. */
export type Channel = readonly [event: number, path: JsonPath];

/** What becomes of a text that no policy reads. */
export type Unread = 'passes' | 'is refused' | 'is left out';

/** Places by their pointer at which no policy reads, with what becomes of a text there and why that is well. */
export type Structure = Readonly<Record<string, readonly [becomes: Unread, why: string]>>;

/** All that a dialect can say, once: each of its members, each kind of its parts, and two answers where it gives several. */
export interface Sample {
  readonly name: string;
  /** On the proxy. */
  readonly path: string;
  /** Where it differs for a stream. */
  readonly streamPath?: string;
  readonly request: Json;
  /** What makes a request for a stream of it. */
  readonly asStream?: Readonly<Record<string, Json>>;
  readonly whole: Json;
  readonly events?: readonly Event[];
  /** How its streams stand on the wire; server-sent events unless given. */
  readonly forms?: readonly ('server-sent events' | 'a list' | 'lines')[];
  readonly channels?: readonly Channel[];
  /** Two texts that no client puts together. */
  readonly apart?: readonly [Channel, Channel];
  /** All else is read. Of events the pointer begins with their number. */
  readonly structure?: { readonly request?: Structure; readonly whole?: Structure; readonly events?: Structure };
}
