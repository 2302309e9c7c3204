import { isUtf8 } from 'node:buffer';
import { createInspectRequest } from '@portcullis/platform/inspection/inspect-request';
import type { RequestScan } from '@portcullis/platform/inspection/request-scan';
import type { Conversation } from '@portcullis/platform/inspection/conversation';
import type { RequestTexts } from '@portcullis/platform/inspection/request-texts';
import type { TextToRedact } from '@portcullis/platform/inspection/text-to-redact';
import type { TextContext } from '@portcullis/platform/inspection/text-context';
import type { Exchange } from '../exchange/exchange.ts';
import { requestContext } from '../inspection/exchange-facts.ts';
import { openConversation } from '../inspection/open-conversation.ts';
import { RefusedTexts } from '../inspection/refused-texts.ts';
import { readSequenceTexts, readSequenceTextsCooperatively } from '../inspection/sequence-texts.ts';
import { decodeQuery } from '../inspection/query-text.ts';
import { redactRequest, type RequestPart } from '../inspection/redact-request.ts';
import { contentKindOf } from '../answers/readers/content-kind.ts';

const body = { part: 'body', location: '/' } as const;
const query = { part: 'query', location: '?' } as const;

/** The texts of a request on a proxy port: in its query, and in the strings of a JSON body or a body of plain text. */
class ExchangeRequest implements RequestTexts<RequestPart> {
  readonly context: TextContext;
  readonly #exchange: Exchange;
  readonly #refused: RefusedTexts;

  constructor(exchange: Exchange, refused: RefusedTexts) {
    this.#exchange = exchange;
    this.context = requestContext(exchange);
    this.#refused = refused;
  }

  findConversation(): Conversation | undefined {
    return openConversation(this.#exchange, this.#refused);
  }

  get findings() {
    return this.#exchange.findings;
  }

  get size(): number {
    return this.#exchange.body.bytes.length + this.#exchange.query.length;
  }

  /**
   * Bytes are read where they are text, and pass where their type is that of a file or of a form with files. Texts as the
   * tokens of some model are not read here.
   */
  isReadable(): boolean {
    const {
      json,
      body: { bytes },
      request,
      dialect,
      proxy,
    } = this.#exchange;
    if (proxy.passesUnread) return true;
    if (json !== undefined) return dialect.holdsTokens?.(json) !== true;
    if (bytes.length === 0) return true;
    const kind = contentKindOf(request.headers['content-type'] ?? '');
    return kind === 'file' || kind === 'parts' || (isUtf8(bytes) && !bytes.includes(0));
  }

  scan(scan: RequestScan<RequestPart>): void {
    const { query: asked, json, body: written } = this.#exchange;
    if (asked !== '') scan.scanPart({ ...query, text: decodeQuery(asked).text });
    if (json !== undefined) scan.scanValue({ value: json, source: () => written.text });
    else if (written.bytes.length > 0) {
      scan.scanPart({ ...body, text: written.text });
      for (const joined of readSequenceTexts(written.bytes)) scan.scanJoined(body, joined);
    }
  }

  *scanCooperatively(scan: RequestScan<RequestPart>): Generator<undefined, void> {
    const { query: asked, json, body: written } = this.#exchange;
    if (asked !== '') yield* scan.scanPartCooperatively({ ...query, text: decodeQuery(asked).text });
    if (json !== undefined) {
      yield* scan.scanValueCooperatively({ value: json, source: () => written.text });
    } else if (written.bytes.length > 0) {
      yield* scan.scanPartCooperatively({ ...body, text: written.text });
      const sequence = yield* readSequenceTextsCooperatively(written.bytes);
      for (const joined of sequence) yield* scan.scanJoinedCooperatively(body, joined);
    }
  }

  redact(texts: readonly TextToRedact<RequestPart>[]): Generator<undefined, void> {
    return redactRequest(this.#exchange, texts);
  }
}

/** @param refused what callers were refused for before */
export const createInspectExchange = (refused = new RefusedTexts()) =>
  createInspectRequest<Exchange, RequestPart>(
    ({ proxy }) => proxy.policies,
    (exchange) => new ExchangeRequest(exchange, refused),
  );
