import { objectOf } from '@portcullis/core/json/json-object';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';

const form = /^application\/x-www-form-urlencoded\b/i;
const formOfParts = /^multipart\/form-data\b/i;

/** A message has it in every encoding, and a form never bare. */
const openBrace = 0x7b;

/**
 * Bodies that no MCP server reads as a message, such as a request for a token. What only claims to be one might be read
 * by a server that does not look at the type.
 */
function isForm({ request, body }: Exchange): boolean {
  const type = request.headers['content-type'] ?? '';
  if (form.test(type)) return !body.bytes.includes(openBrace);
  return formOfParts.test(type) && body.bytes.toString('latin1', 0, 2) === '--';
}

const isMessage = (value: unknown): boolean => objectOf(value) !== undefined;

/** Lets a body of MCP pass when it is a message or a flat list of them: what we cannot read, a lenient server might. */
export const checkMessages: RequestStage<Exchange> = {
  name: 'check-messages',
  run(exchange): Verdict {
    const { json, body } = exchange;
    if (json === undefined) {
      if (body.bytes.length === 0 || isForm(exchange)) return next;
      return deny('unsupported_media_type', {
        message: 'Messages of MCP are JSON in UTF-8, without a byte order mark',
      });
    }
    if (Array.isArray(json) ? json.every(isMessage) : isMessage(json)) return next;
    return deny('invalid_json', { message: 'Messages of MCP are JSON objects, or flat lists of them' });
  },
};
