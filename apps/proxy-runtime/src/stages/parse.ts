import { isUtf8 } from 'node:buffer';
import { runTimeSliced } from '@portcullis/platform/event-loop/run-time-sliced';
import { problemText } from '@portcullis/platform/errors/problem';
import type { ErrorReason } from '@portcullis/contracts/errors';
import { TooManyValues } from '@portcullis/core/json/json-bounds';
import { DuplicateKey } from '@portcullis/core/json/visit-json-source';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { bodyCodings, BodyNotDecodable, decodeBody, findBodyDecoder } from '@portcullis/platform/http/decode-body';
import { formType, readFormField } from '../http/form-field.ts';
import { longBody } from '../http/request-body.ts';
import { contentKindOf } from '../answers/readers/content-kind.ts';
import { maxModelLength } from '../usage/model-name.ts';
import type { FairShare } from '@portcullis/platform/http/fair-share';
import {
  BodyTooLarge,
  BodyUnreadable,
  ClientGone,
  BodyMemoryExhausted,
  receiveBody,
  tooManyLarge,
  uncountedBytes,
} from '@portcullis/platform/http/receive-body';

/**
 * A body that claims to be JSON, or must be in its dialect, and does not parse is refused: what we cannot read, a lenient
 * target might. One that looks like JSON is read as JSON regardless of its type, for the same reason, and one
 * with a key twice in an object is refused: the target might take the one that we did not look at.
 */
const parseJson = (exchange: Exchange): Verdict | Promise<Verdict> => {
  const type = exchange.request.headers['content-type'] ?? '';
  const claimed = exchange.dialect.bodies !== 'any' || contentKindOf(type) === 'json';
  // A longer name than a model's is none to the reader of forms.
  if (!claimed && formType.test(type)) exchange.model = readFormField(exchange.body.bytes, 'model');
  const { body } = exchange;
  if (!claimed && !looksLikeJson(body.bytes)) return next;
  if (!isUtf8(body.bytes)) return claimed ? deny('invalid_json', { message: 'JSON must be UTF-8' }) : next;
  const take = () => {
    const { forBody } = exchange.dialect;
    if (forBody !== undefined) exchange.dialect = forBody(exchange.json, exchange.path);
    return takeModel(exchange, exchange.dialect.readModel(exchange.json, exchange.path));
  };
  const refuseJson = (error: unknown) => (error instanceof SyntaxError && !claimed ? next : denyJson(error));
  if (body.bytes.length > longBody) return runTimeSliced(body.readLongJson()).then(take, refuseJson);
  try {
    body.readJson();
  } catch (error) {
    return refuseJson(error);
  }
  return take();
};

const takeModel = (exchange: Exchange, model: string | undefined): Verdict => {
  if (model !== undefined && model.length > maxModelLength) {
    return deny('bad_request', { message: `The name of the model must have at most ${maxModelLength} characters` });
  }
  exchange.model = model;
  return next;
};

const denyJson = (error: unknown): Verdict => deny(reasonOf(error), { message: problemText(error).slice(0, 200) });

function reasonOf(error: unknown): ErrorReason {
  if (error instanceof TooManyValues) return 'payload_too_large';
  return error instanceof DuplicateKey ? 'ambiguous_json' : 'invalid_json';
}

const jsonStarts = new Set(Buffer.from('{["'));
const looksLikeJson = (body: Buffer): boolean => {
  const first = body.find((byte) => byte > 0x20);
  return first !== undefined && jsonStarts.has(first);
};

const takeBody = (exchange: Exchange, body: Buffer): Verdict | Promise<Verdict> => {
  exchange.body.take(body);
  exchange.requestBytes = body.length;
  if (body.length === 0) return next;
  return parseJson(exchange);
};

/**
 * A compressed body is read, and goes on, as what it holds: what policies saw is what the target gets,
 * for anything that either makes of damaged or doubled codings. It is bounded by what comes out of it.
 */
const takeEncoded = async (
  exchange: Exchange,
  body: Buffer,
  encoding: string,
  { maxBytes, takeMemory }: { readonly maxBytes: number; readonly takeMemory: (bytes: number) => boolean },
): Promise<Verdict> => {
  const decode = findBodyDecoder(encoding);
  if (decode === undefined) {
    return deny('unsupported_media_type', { message: `The content encoding must be ${bodyCodings}` });
  }
  const decoded = await decodeBody(decode, body, maxBytes);
  if (decoded.length > uncountedBytes && !takeMemory(decoded.length)) throw new BodyMemoryExhausted();
  exchange.bodyDecoded = true;
  return takeBody(exchange, decoded);
};

/** What became of a body that could not be taken. @throws what is not about the body */
const refuse = (error: unknown, maxBodyBytes: number): Verdict => {
  if (error instanceof BodyTooLarge) {
    return deny('payload_too_large', { message: `The limit is ${maxBodyBytes} bytes` });
  }
  if (error instanceof BodyMemoryExhausted) {
    return deny('service_unavailable', { message: tooManyLarge, headers: { 'retry-after': '1' } });
  }
  if (error instanceof BodyNotDecodable) {
    return deny('bad_request', { message: `The body is not in its content encoding: ${error.message}` });
  }
  if (error instanceof BodyUnreadable) return deny(error.reason);
  if (error instanceof ClientGone) return deny('client_closed');
  throw error;
};

/**
 * Receives the body once, within the bound, and parses it once.
 * @param memory for the bytes of large bodies, which stay taken until free-body
 */
export const createParse = (maxBodyBytes: number, memory: FairShare): RequestStage<Exchange> => {
  const refuseFor = (error: unknown): Verdict => refuse(error, maxBodyBytes);
  const receive = (exchange: Exchange): Promise<Verdict> => {
    const takeMemory = (bytes: number): boolean => {
      const taken = memory.take(exchange.key?.id ?? 0, bytes);
      if (taken) exchange.heldBytes += bytes;
      return taken;
    };
    const take = (body: Buffer): Verdict | Promise<Verdict> => {
      const encoding = exchange.request.headers['content-encoding'];
      if (encoding === undefined || encoding === 'identity' || body.length === 0) return takeBody(exchange, body);
      return takeEncoded(exchange, body, encoding, { maxBytes: maxBodyBytes, takeMemory }).catch(refuseFor);
    };
    return receiveBody(exchange.request, maxBodyBytes, takeMemory).then(take, refuseFor);
  };

  return {
    name: 'parse',
    run: (exchange) => (exchange.received === undefined ? receive(exchange) : takeBody(exchange, exchange.received)),
  };
};
