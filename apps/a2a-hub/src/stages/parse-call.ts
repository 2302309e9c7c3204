import { a2aError } from '@portcullis/core/a2a/a2a-error';
import { isSupportedVersion } from '@portcullis/core/a2a/protocol-version';
import { alwaysWithinBounds, TooManyValues } from '@portcullis/core/json/json-bounds';
import { parsePlainJson, parsePlainJsonCooperatively } from '@portcullis/core/json/parse-plain-json';
import { DuplicateKey } from '@portcullis/core/json/visit-json-source';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { runTimeSliced } from '@portcullis/platform/event-loop/run-time-sliced';
import type { FairShare } from '@portcullis/platform/http/fair-share';
import { BodyTooLarge, ClientGone, BodyMemoryExhausted, tooManyLarge } from '@portcullis/platform/http/receive-body';
import { holderOf, openHeldBody } from '@portcullis/platform/http/held-body';
import type { Invocation } from '../invocation/invocation.ts';

/**
 * Reads what is asked, in the words of the surface where it came in.
 * @param room for the bytes of large bodies, which stay taken until free-body
 */
export const createParseCall = (maxBodyBytes: number, room: FairShare): RequestStage<Invocation> => ({
  name: 'parse',
  run: (invocation) =>
    invocation.body === undefined ? receive(invocation, maxBodyBytes, room) : read(invocation, invocation.body),
});

async function receive(invocation: Invocation, maxBytes: number, room: FairShare): Promise<Verdict> {
  const { request } = invocation;
  const type = request.headers['content-type'];
  const hasBody = request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
  if (hasBody && type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
    return deny('unsupported_media_type', { message: 'Send application/json' });
  }
  try {
    invocation.heldBody = openHeldBody(room, holderOf(invocation));
    return await read(invocation, await invocation.heldBody.receive(request, maxBytes));
  } catch (error) {
    if (error instanceof BodyTooLarge)
      return deny('payload_too_large', { message: `At most ${maxBytes} bytes are accepted` });
    if (error instanceof BodyMemoryExhausted)
      return deny('service_unavailable', { message: tooManyLarge, headers: { 'retry-after': '1' } });
    if (error instanceof ClientGone) return deny('client_closed');
    throw error;
  }
}

function read(invocation: Invocation, source: Buffer): Verdict | Promise<Verdict> {
  invocation.requestBytes = source.length;
  if (source.length === 0) return invocation.surface.mayBeEmpty ? take(invocation, undefined) : deny('invalid_json');
  const text = source.toString('utf8');
  if (text.length > alwaysWithinBounds) {
    return runTimeSliced(parsePlainJsonCooperatively(text)).then((body) => take(invocation, body), refuseJson);
  }
  let body: unknown;
  try {
    body = parsePlainJson(text);
  } catch (error) {
    return refuseJson(error);
  }
  return take(invocation, body);
}

function refuseJson(error: unknown): Verdict {
  if (error instanceof TooManyValues) return deny('payload_too_large', { message: error.message });
  if (error instanceof DuplicateKey || error instanceof NestedTooDeep)
    return deny('ambiguous_json', { message: error.message });
  return deny('invalid_json');
}

function take(invocation: Invocation, body: unknown): Verdict {
  const { request, surface, path, query } = invocation;
  const method = request.method ?? '';
  const accept = request.headers.accept ?? '';
  const { replies, asked, failure } = surface.read({ method, path, query, accept, body });
  invocation.replies = replies;
  if (asked === undefined) {
    invocation.failure = failure;
    return deny(failure.reason);
  }
  if (replies.version !== undefined && !isSupportedVersion(versionOf(invocation))) {
    invocation.failure = { reason: 'bad_request', error: a2aError('VERSION_NOT_SUPPORTED') };
    return deny('bad_request');
  }
  invocation.asked = asked;
  return next;
}

const versionOf = ({ request, query }: Invocation): string | undefined => {
  const header = request.headers['a2a-version'];
  return typeof header === 'string' ? header : (query.get('A2A-Version') ?? undefined);
};
