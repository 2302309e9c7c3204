import { isUtf8 } from 'node:buffer';
import type { Exchange } from '../exchange/exchange.ts';
import { property } from '@portcullis/core/json/json-value';
import { readFrameLength } from '../framing/event-frame.ts';
import { contentKindOf, type ContentKind } from './readers/content-kind.ts';
import { EventReader } from './readers/event-reader.ts';
import { FileReader } from './readers/file-reader.ts';
import { FrameReader } from './readers/frame-reader.ts';
import { FirstValueReader } from './readers/first-value-reader.ts';
import { JsonReader } from './readers/json-reader.ts';
import { ListReader } from './readers/list-reader.ts';
import { prepend, type LastUnits, type ResponseReader } from './readers/response-reader.ts';
import { maxEventBytes } from './readers/read-data.ts';
import { SequenceReader } from './readers/sequence-reader.ts';
import { TextReader } from './readers/text-reader.ts';
import { isUtf16Text } from './readers/utf16-text.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';

/**
 * Events are read one by one, in lines or in frames, and so are JSON values that follow one another and the members of a list that is a
 * stream; another JSON body is read whole up to `maxInspectedBytes` and as it passes beyond; other text is read as it
 * passes; a file goes through. What a body begins with counts more than its type: clients know what they asked for, and
 * many do not look at the type.
 */
export const openResponseReader = (
  exchange: Exchange,
  contentType: string | undefined,
  maxInspectedBytes: number,
): ResponseReader => new SniffingReader(exchange, contentKindOf(contentType ?? ''), maxInspectedBytes);

class SniffingReader implements ResponseReader {
  readonly #exchange: Exchange;
  readonly #declared: ContentKind;
  readonly #maxBytes: number;
  #reader: ResponseReader | undefined;
  /** Bytes that tell too little. */
  #first: Buffer = Buffer.alloc(0);

  constructor(exchange: Exchange, declared: ContentKind, maxBytes: number) {
    this.#exchange = exchange;
    this.#declared = declared;
    this.#maxBytes = maxBytes;
    if (declared === 'events') exchange.streamForm = 'events';
  }

  push(chunk: Buffer): readonly StreamUnit[] {
    if (this.#reader !== undefined) return this.#reader.push(chunk);
    if (this.#declared === 'frames') return (this.#reader = new FrameReader(this.#exchange)).push(chunk);
    this.#first = this.#first.length === 0 ? chunk : Buffer.concat([this.#first, chunk]);
    const looks = lookAt(this.#first);
    // A few bytes do not tell a file from JSON or from a text in wide characters.
    if (looks !== 'events' && this.#declared === 'file' && this.#first.length < enoughOfFile) return [];
    return looks === undefined ? [] : this.#open(looks);
  }

  end(): LastUnits {
    if (this.#reader !== undefined) return this.#reader.end();
    if (this.#first.length === 0) return [];
    const units = this.#open(lookAt(this.#first) ?? 'other');
    return prepend(units, (this.#reader as ResponseReader | undefined)?.end() ?? []);
  }

  #open(looks: Looks): readonly StreamUnit[] {
    const first = this.#first;
    this.#first = Buffer.alloc(0);
    // Sound and pictures may begin with any byte, that of a brace among them.
    const isJson = looks === 'json' && (this.#declared !== 'file' || beginsJson(first));
    this.#reader = isJson ? this.#readJson() : this.#readOther(looks, first);
    return this.#reader.push(first);
  }

  #readJson(): ResponseReader {
    const [exchange, maxBytes] = [this.#exchange, this.#maxBytes];
    if (this.#declared === 'sequence') return this.#readSequence();
    if (this.#declared === 'events' && asksForEvents(exchange)) return this.#readSequence();
    if (this.#declared === 'json') {
      const json = new JsonReader(exchange, maxBytes);
      return exchange.dialect.listIsStream === true ? new ListReader(exchange, json) : json;
    }
    exchange.streamForm = undefined;
    return new FirstValueReader(exchange, maxBytes, {
      sequence: () => this.#readSequence(),
      // No file goes on like JSON, but a text in wide characters does.
      text: () => new TextReader(),
    });
  }

  #readOther(looks: Looks, first: Buffer): ResponseReader {
    if (this.#declared === 'events' || looks === 'events') return new EventReader(this.#exchange);
    if ((readFrameLength(first, maxEventBytes) ?? 0) > 0) return new FrameReader(this.#exchange);
    // Speech may be asked for as a stream, too.
    if (asksForEvents(this.#exchange) && (this.#declared !== 'file' || isText(first))) {
      return new EventReader(this.#exchange);
    }
    if (this.#declared === 'sequence') return this.#readSequence();
    if (this.#declared === 'json') return new JsonReader(this.#exchange, this.#maxBytes);
    if (this.#declared === 'text' || isText(first)) return new TextReader(this.#declared === 'file');
    return new FileReader(this.#declared === 'file' && !isUtf16Text(first));
  }

  #readSequence(): ResponseReader {
    const between = asksForEvents(this.#exchange) ? new EventReader(this.#exchange) : new TextReader();
    return new SequenceReader(this.#exchange, between);
  }
}

const enoughOfFile = 64;
/** Bytes that are looked at. */
const maxLooked = 1_024;

/** What the first bytes of a body look like. */
type Looks = 'json' | 'events' | 'other';

const fields = ['data:', 'event:', 'id:', 'retry:', ':'];
const longestField = 6;
const jsonStarts: ReadonlySet<string | undefined> = new Set(['{', '[']);

/** A byte order mark, blanks and record separators, seen byte by byte. */
// oxlint-disable-next-line no-control-regex -- a separator is one
const beforeValues = /^(?:\u00EF\u00BB\u00BF)?[\s\u001E]*/;

/** Whether what follows the first brace or bracket may follow it in JSON. */
const beginsJson = (bytes: Buffer): boolean =>
  jsonBeginning.test(bytes.toString('latin1', 0, maxLooked).replace(beforeValues, ''));
const jsonBeginning = /^(?:\{\s*(?:["}]|$)|\[\s*(?:["[\]{\dtfn-]|$))/;

/** Undefined while there is too little to tell. */
function lookAt(bytes: Buffer): Looks | undefined {
  const start = bytes.toString('latin1', 0, maxLooked).replace(beforeValues, '');
  if (jsonStarts.has(start[0])) return 'json';
  if (fields.some((field) => start.startsWith(field))) return 'events';
  const isOpen =
    start.length < longestField && bytes.length < maxLooked && fields.some((field) => field.startsWith(start));
  return isOpen ? undefined : 'other';
}

/** Text, whose last character may be cut. */
function isText(bytes: Buffer): boolean {
  const start = bytes.subarray(0, maxLooked);
  const cuts = bytes.length > start.length || start.length > 3 ? [0, 1, 2, 3] : [0];
  return !start.includes(0) && cuts.some((cut) => isUtf8(start.subarray(0, start.length - cut)));
}

/** Clients of a known dialect that asked for events read the answer as such, whichever type it has. */
const asksForEvents = ({ json, dialect, query }: Exchange): boolean =>
  dialect.bodies !== 'any' && (property(json, 'stream') === true || (query !== '' && asksInQuery.test(query)));

/** As Google's clients do. */
const asksInQuery = /[?&]alt=sse(?:&|$)/i;
