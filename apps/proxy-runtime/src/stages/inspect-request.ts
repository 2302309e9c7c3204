import { isUtf8 } from 'node:buffer';
import { RepeatedKey } from '@portcullis/core/json/visit-json-source';
import { NestedTooDeep, stringsIn, visitStrings } from '@portcullis/core/json/visit-strings';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { decide, enforcedAction } from '@portcullis/core/policy/verdict/decide';
import type { Finding, PolicyPlan } from '@portcullis/core/policy/policy';
import { finish } from '@portcullis/core/policy/scan/steps';
import { runTimeSliced } from '@portcullis/platform/event-loop/run-time-sliced';
import type { Exchange } from '../exchange.ts';
import { readSequenceTexts, type JoinedText } from '../inspection/sequence-texts.ts';
import { TextContext } from '../inspection/text-context.ts';
import { maskLocation } from '../redaction/mask-location.ts';
import { NotRewritable } from '../redaction/not-rewritable.ts';
import { decodeQuery } from '../redaction/query-text.ts';
import { redactRequest, type TextToRedact } from '../redaction/redact-request.ts';
import { contentKindOf } from '../traffic/readers/content-kind.ts';

/** Requests with more bytes than this are scanned in slices, so that others go on meanwhile. */
const longRequest = 32_768;

type Place = TextToRedact['place'];

/** Collects what is found in the texts of one request. */
class RequestScan {
  readonly toRedact: TextToRedact[] = [];
  readonly #exchange: Exchange;
  readonly #plan: PolicyPlan;
  readonly #context: TextContext;

  constructor(exchange: Exchange, plan: PolicyPlan) {
    this.#exchange = exchange;
    this.#plan = plan;
    this.#context = new TextContext(exchange, 'request', exchange.json);
  }

  /** Scans every text of the request. */
  run(): void {
    const { query, json, body } = this.#exchange;
    if (query !== '') this.#scan(decodeQuery(query).text, 'query');
    if (json !== undefined) {
      visitStrings(json, (text, path, isKey) => {
        this.#context.place = path;
        this.#scan(text, isKey);
      });
    } else if (body.length > 0) {
      this.#scan(body.toString('utf8'), 'body');
      for (const joined of readSequenceTexts(body))
        this.#noteJoined(joined, this.#plan.scan(joined.text, this.#context));
    }
  }

  /** The same in steps. */
  *runCooperatively(): Generator<undefined, void> {
    const { query, json, body } = this.#exchange;
    if (query !== '') yield* this.#scanCooperatively(decodeQuery(query).text, 'query');
    if (json !== undefined) {
      for (const place of stringsIn(json)) {
        if (place === undefined) yield;
        else {
          this.#context.place = place.path;
          yield* this.#scanCooperatively(place.text, place.isKey);
        }
      }
    } else if (body.length > 0) {
      yield* this.#scanCooperatively(body.toString('utf8'), 'body');
      for (const joined of readSequenceTexts(body)) {
        this.#noteJoined(joined, yield* this.#plan.scanCooperatively(joined.text, this.#context));
        yield;
      }
    }
  }

  /** @param where in a JSON body, whether the text is a key */
  #scan(text: string, where: 'query' | 'body' | boolean): void {
    const findings = this.#plan.scan(text, this.#context);
    if (findings.length > 0) this.#note(text, where, findings);
  }

  *#scanCooperatively(text: string, where: 'query' | 'body' | boolean): Generator<undefined, void> {
    const findings = yield* this.#plan.scanCooperatively(text, this.#context);
    if (findings.length > 0) this.#note(text, where, findings);
    yield;
  }

  /** What stands in the source as it is has been found there. */
  #noteJoined({ text, standsInSource }: JoinedText, findings: readonly Finding[]): void {
    const across = findings.filter(({ start, end }) => !standsInSource(start, end));
    if (across.some((finding) => enforcedAction(finding) === 'redact')) {
      throw new NotRewritable('Something to be hidden stands in several values');
    }
    if (across.length > 0) this.#note(text, 'body', across);
  }

  #note(text: string, where: 'query' | 'body' | boolean, findings: readonly Finding[]): void {
    const place: Place = typeof where === 'string' ? where : { path: [...this.#context.place], isKey: where };
    const location = maskLocation(where === 'query' ? '?' : where === 'body' ? '/' : this.#context.pointer());
    const { origin } = this.#context;
    for (const finding of findings)
      this.#exchange.findings.push({ ...finding, direction: 'request', location, origin });
    const hidden = findings.filter((finding) => enforcedAction(finding) === 'redact');
    if (hidden.length > 0) this.toRedact.push({ place, text, findings: hidden });
  }
}

/** What the findings mean for the request. */
function* settle(exchange: Exchange, toRedact: readonly TextToRedact[]): Generator<undefined, Verdict> {
  if (decide(exchange.findings).action === 'block') return deny('policy_violation');
  if (toRedact.length > 0) yield* redactRequest(exchange, toRedact);
  return next;
}

/** What is wrong with the request, if that is what the error says. */
function refuse(error: unknown): Verdict {
  if (error instanceof NestedTooDeep || error instanceof RepeatedKey || error instanceof NotRewritable) {
    return deny('bad_request', { message: error.message });
  }
  throw error;
}

/** Bytes are read where they are text, and pass where their type is that of a file or of a form with files. */
function isReadable({ json, body, request }: Exchange): boolean {
  if (json !== undefined || body.length === 0) return true;
  const kind = contentKindOf(request.headers['content-type'] ?? '');
  return kind === 'file' || kind === 'parts' || (isUtf8(body) && !body.includes(0));
}

/** Runs the assigned policies over every text of the request, and redacts what they want hidden from the target. */
export const inspectRequest: RequestStage<Exchange> = {
  name: 'inspect-request',
  run(exchange): Verdict | Promise<Verdict> {
    const plan = exchange.proxy.policies;
    if (plan === undefined) return next;
    if (plan.enforces && !exchange.proxy.passesUnread && !isReadable(exchange)) return deny('unreadable_body');
    const scan = new RequestScan(exchange, plan);
    if (exchange.body.length + exchange.query.length > longRequest) {
      return runTimeSliced(scan.runCooperatively())
        .then(() => (exchange.findings.length === 0 ? next : runTimeSliced(settle(exchange, scan.toRedact))))
        .catch(refuse);
    }
    try {
      scan.run();
      return exchange.findings.length === 0 ? next : finish(settle(exchange, scan.toRedact));
    } catch (error) {
      return refuse(error);
    }
  },
};
