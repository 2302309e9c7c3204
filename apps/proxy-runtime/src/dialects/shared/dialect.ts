import type { DialectName } from '@portcullis/contracts/dialects';
import type { ErrorEntry } from '@portcullis/contracts/errors';
import type { KeyHeader } from '@portcullis/core/identity/presented-key';
import type { KnownKeys } from '@portcullis/core/json/known-keys';
import type { JsonPath } from '@portcullis/core/json/visit-strings';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { SourceReader } from '@portcullis/platform/inspection/text-source';
import type { BackgroundWork } from '../../usage/background-work.ts';
import type { Usage } from '../../usage/usage.ts';

/** What a message of a request asks for. */
export interface Call {
  readonly method: string;
  /** The tool, prompt or resource that is named, or the model. */
  readonly name: string | undefined;
  /** What is handed to a tool. */
  readonly arguments?: unknown;
}

/** What a dialect reads out of one event of a stream. */
export interface EventReading {
  /** The texts to inspect, or `complete` when the event is a message complete in itself. */
  readonly texts: readonly StreamText[] | 'complete';
  readonly usage: Usage | undefined;
  /** The answer is one that the provider writes in the background. */
  readonly background?: BackgroundWork | undefined;
  /** It carries nothing but usage, so a client that did not ask for usage never sees it. */
  readonly onlyUsage?: boolean;
  /** The client will take the stream as complete once it has this event. */
  readonly terminal: boolean;
  /** Its number, where the dialect counts its events. */
  readonly sequence?: number | undefined;
}

/** A refusal to render, with what a client may read of it. */
export interface RenderedDenial extends ErrorEntry {
  readonly message: string | undefined;
  readonly requestId: string;
  /** Id of the JSON-RPC request that is refused; null when it is none, or several. */
  readonly rpcId: string | number | null;
  /** Number for an event behind those that the client has. */
  readonly nextSequence: number;
}

/** How a stream stands on the wire: as server-sent events, as the members of one JSON list, as JSON values that follow one another, or in Amazon's frames. */
export type StreamForm = 'events' | 'list' | 'lines' | 'frames';

/** A request that holds many, each with a body that could have come alone. */
export interface RequestBatch {
  readonly dialect: Dialect;
  /** Where the bodies stand, as deep all of them. */
  readonly places: (body: unknown) => readonly JsonPath[];
}

/**
 * A dialect of traffic: where its texts and figures are and what its errors look like. What adding one takes
 * stands in the README of this folder.
 */
export interface Dialect {
  /** Usage records carry it. The row of that name says what traces call it. */
  readonly name: DialectName;
  /** Whose prices count for its models wherever they run, by the price library's id. Absent where any may answer. */
  readonly provider?: string;
  /**
   * What its requests bring: a conversation in JSON, other JSON, or anything. A body that is not JSON as it is read
   * here is refused where it must be JSON, since a target might read it all the same.
   */
  readonly bodies: 'conversation' | 'json' | 'any';
  /** Keys of a request body that no other key may be confused with. */
  readonly keys: KnownKeys;
  /**
   * What a body is spoken in where its path leaves that open, asked once it is read; the dialect itself where it stays so.
   * A body must not be able to choose a reading that its target does not have. Absent: the path says all.
   */
  readonly forBody?: (body: unknown, path: string) => Dialect;
  /** Model named in a request body, or in the path where the dialect names it there. */
  readonly readModel: (body: unknown, path: string) => string | undefined;
  /** The calls in a request body, when the dialect names what it calls there. */
  readonly readCalls: (body: unknown) => readonly Call[];
  /** Who the texts of a request body are by. What is in no known place is its user's. */
  readonly requestSources: (body: unknown) => SourceReader;
  /** The same of an answer, or of an event that is complete in itself. */
  readonly answerSources: (answer: unknown) => SourceReader;
  /** Roles of the messages of a request in their order, in OpenAI's words; undefined when it is no conversation. */
  readonly readRoles: (body: unknown) => readonly string[] | undefined;
  /**
   * The request body with a text more in the dialect's own place for a system prompt, before or behind what
   * the client wrote there, all else byte for byte; undefined when the body has no such place.
   */
  readonly addSystemText: (source: string, body: unknown, text: string, at: 'start' | 'end') => string | undefined;
  /** The conversations of a request that holds many of them. */
  readonly batch?: RequestBatch;
  /** What stands in that place, where answers of the dialect show it; null when it is empty. */
  readonly readInstructions?: (body: unknown) => unknown;
  /** Whether a request brings texts as numbers of tokens. Absent where none can. */
  readonly holdsTokens?: (body: unknown) => boolean;
  /** Where an answer or an event shows the client a system prompt again. Absent where none ever does. */
  readonly findEchoes?: (value: unknown) => readonly JsonPath[];
  /** Fields of a request that ask for the whole prompt in the answer, in pieces or as tokens. */
  readonly promptFields?: readonly string[];
  /** No model goes on with what its requests hold. */
  readonly isNonInference?: true;
  /** Its answers were given to an earlier request and are kept by the provider. */
  readonly isStored?: true;
  /**
   * The request body changed so that a stream tells its usage, all else byte for byte; undefined when it does
   * so anyway. Absent where streams of the dialect always tell.
   */
  readonly askForUsage?: (source: Buffer, body: unknown) => Buffer | undefined;
  /** Usage told in a whole answer. */
  readonly readUsage: (answer: unknown) => Usage | undefined;
  /** What a whole answer is one state of, where the provider writes it in the background. */
  readonly readBackground?: (answer: unknown) => BackgroundWork | undefined;
  /** What policies read of a whole answer, its texts at the places where they stand. Absent: all of it. */
  readonly readable?: (answer: unknown) => unknown;
  /** A JSON list for an answer is a stream, its members the events. */
  readonly listIsStream?: boolean;
  /** @param data payload of one event of a stream, parsed when it is JSON, else the text itself */
  readonly readEvent: (data: unknown) => EventReading;
  /** Where its clients have their key, in `authorization` as a bearer token. Absent: wherever the client has its own. */
  readonly keyHeader?: KeyHeader;
  /**
   * What stands in the place of a message that is refused alone in a stream that goes on, as JSON; undefined
   * when no client waits for that message. Absent where a refusal ends the stream.
   */
  readonly refuseMessage?: (message: unknown, denial: RenderedDenial) => string | undefined;
  /** The refusal as this dialect's own error body. */
  readonly renderNativeError: (denial: RenderedDenial) => { readonly error: object | string };
  /** The refusal as the event with which this dialect breaks off a stream, in wire form. */
  readonly renderStreamError: (denial: RenderedDenial, form: Extract<StreamForm, 'events' | 'list'>) => string;
}
