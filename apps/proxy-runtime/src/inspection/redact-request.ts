import { isUtf8 } from 'node:buffer';
import { JsonChanges, spliceJsonCooperatively } from '@portcullis/core/json/splice-json';
import { visitJsonSourceCooperatively } from '@portcullis/core/json/visit-json-source';
import { Placeholders } from '@portcullis/core/policy/redaction/placeholders';
import { rewriteText } from '@portcullis/core/policy/redaction/text-rewriter';
import type { TextToRedact } from '@portcullis/platform/inspection/text-to-redact';
import type { Exchange } from '../exchange/exchange.ts';
import type { RequestBody } from '../http/request-body.ts';
import { updateMirroredHeaders } from '../mcp/update-mirrored-headers.ts';
import type { HiddenNumber } from '@portcullis/platform/inspection/value-texts';
import { hideNumbersInCooperatively } from '../framing/rewrite-unit.ts';
import { NotRewritable } from '@portcullis/platform/inspection/not-rewritable';
import { decodeQuery, redactQuery } from './query-text.ts';

/** What of a request is a text itself: its query, and a body that is no JSON. */
export type RequestPart = 'query' | 'body';

/**
 * Puts placeholders in the place of what rules want hidden from the target: in the query, in the strings
 * of a JSON body, in a body of plain text. What else stands there stays byte for byte.
 * @throws {NotRewritable} @throws {DuplicateKey}
 */
export function* redactRequest(
  exchange: Exchange,
  texts: readonly TextToRedact<RequestPart>[],
): Generator<undefined, void> {
  const written = yield* clientTexts(exchange);
  const placeholders = new Placeholders(() => written);
  const redact = ({ text, findings, note }: TextToRedact<RequestPart>): string =>
    note ?? rewriteText(text, findings, placeholders, { side: 'request' });
  const changes = new JsonChanges();
  const numbers: HiddenNumber[] = [];
  let { query } = exchange;
  for (const item of texts) {
    if (item.place === 'query') query = redactQuery(query, item.findings, placeholders);
    else if (item.place === 'body') rewriteBody(exchange.body, redact(item));
    else if (item.place.isNumber === true) numbers.push({ path: item.place.path, text: redact(item) });
    else changes.set(item.place.path, item.place.isKey, redact(item));
    yield;
  }
  exchange.placeholders = placeholders;
  if (changes.size + numbers.length > 0) {
    if (!isUtf8(exchange.body.bytes)) throw new NotRewritable('The JSON body is not UTF-8');
    const spliced = yield* spliceJsonCooperatively(exchange.body.text, changes);
    const source = yield* hideNumbersInCooperatively(spliced, numbers);
    const before = exchange.json;
    yield;
    exchange.body.rewrite(source);
    if (exchange.proxy.type === 'mcp') {
      const mirrored = updateMirroredHeaders(exchange.request.headers, before, exchange.json);
      if (mirrored !== undefined) exchange.mirrored = new Map([...(exchange.mirrored ?? []), ...mirrored]);
    }
  }
  exchange.query = query;
}

function rewriteBody(body: RequestBody, text: string): void {
  if (!isUtf8(body.bytes)) throw new NotRewritable('The body is not UTF-8 text');
  body.rewrite(text);
}

/** Every text that the client wrote, as it came and with escapes of JSON in it undone. */
function* clientTexts({ query, json, body }: Exchange): Generator<undefined, readonly string[]> {
  const texts: string[] = [];
  const take = (text: string): void => {
    texts.push(text);
    if (text.includes('\\u00')) texts.push(unescape(text));
  };
  if (query !== '') take(decodeQuery(query).text);
  const source = body.text;
  if (json === undefined) take(source);
  else {
    yield* visitJsonSourceCooperatively(source, ({ kind, start, end }) => {
      if (kind !== 'container') take(JSON.parse(source.slice(start, end)) as string);
    });
  }
  return texts;
}

const unescape = (text: string): string =>
  text.replaceAll(/\\u00([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
