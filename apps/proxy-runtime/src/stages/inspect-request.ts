import { isUtf8 } from 'node:buffer';
import { RepeatedKey } from '@portcullis/core/json/visit-json-source';
import {
  NestedTooDeep,
  renderPointer,
  stringsIn,
  visitStrings,
  type StringPlace,
} from '@portcullis/core/json/visit-strings';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { decide, enforcedAction } from '@portcullis/core/policy/verdict/decide';
import type { Finding, PolicyPlan } from '@portcullis/core/policy/policy';
import { finish } from '@portcullis/core/policy/scan/steps';
import { runTimeSliced } from '@portcullis/platform/event-loop/run-time-sliced';
import type { Exchange } from '../exchange.ts';
import { acrossParts, inParts, partSeams, type Seam } from '../inspection/part-seams.ts';
import { readSequenceTexts, type JoinedText } from '../inspection/sequence-texts.ts';
import { scanPlaced, scanPlacedCooperatively } from '../inspection/scan-media.ts';
import { TextContext } from '../inspection/text-context.ts';
import { maskLocation } from '../redaction/mask-location.ts';
import { NotRewritable } from '../redaction/not-rewritable.ts';
import { decodeQuery } from '../redaction/query-text.ts';
import { redactRequest, type TextToRedact } from '../redaction/redact-request.ts';
import { contentKindOf } from '../traffic/readers/content-kind.ts';

/** Requests with more bytes than this are scanned in slices, so that others go on meanwhile. */
const longRequest = 32_768;

type Place = TextToRedact['place'];

/** Where a text stands: in the query, in a body that is no JSON, or at the context's place in one that is. */
type Where = 'query' | 'body' | 'key' | 'text' | 'number';

const kindOf = ({ isKey, isNumber }: Pick<StringPlace, 'isKey' | 'isNumber'>): Where =>
  isKey ? 'key' : isNumber ? 'number' : 'text';

const definitions: ReadonlySet<unknown> = new Set(['tools', 'functions']);

/** Longer keys are texts. */
const longestName = 64;

/** Digits that a number of JavaScript has not all. */
const longDigits = /\d{17,}/g;

/** Collects what is found in the texts of one request. */
class RequestScan {
  readonly #exchange: Exchange;
  readonly #plan: PolicyPlan;
  readonly #context: TextContext;
  readonly #toRedact = new Map<string, TextToRedact>();
  /** Names in definitions of tools, which say the same over and over. */
  readonly #cleanKeys = new Set<string>();

  constructor(exchange: Exchange, plan: PolicyPlan) {
    this.#exchange = exchange;
    this.#plan = plan;
    this.#context = new TextContext(exchange, 'request', exchange.json);
  }

  get toRedact(): readonly TextToRedact[] {
    return [...this.#toRedact.values()];
  }

  /** Scans every text of the request. */
  run(): void {
    const { query, json, body } = this.#exchange;
    if (query !== '') this.#scan(decodeQuery(query).text, 'query');
    if (json !== undefined) {
      let isRounded = false;
      visitStrings(json, (text, path, isKey, isNumber) => {
        this.#context.place = path;
        isRounded ||= isNumber && !Number.isSafeInteger(Number(text));
        this.#scan(text, kindOf({ isKey, isNumber }));
      });
      if (isRounded) this.#noteWritten(this.#plan.scan(this.#longDigits(), this.#context));
      for (const seam of partSeams(json)) {
        if (seam !== undefined) this.#noteSeam(seam, this.#plan.scan(seam.text, this.#contextOf(seam)));
      }
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
      let isRounded = false;
      for (const place of stringsIn(json)) {
        if (place === undefined) {
          yield;
          continue;
        }
        this.#context.place = place.path;
        isRounded ||= place.isNumber && !Number.isSafeInteger(Number(place.text));
        yield* this.#scanCooperatively(place.text, kindOf(place));
      }
      if (isRounded) this.#noteWritten(yield* this.#plan.scanCooperatively(this.#longDigits(), this.#context));
      for (const seam of partSeams(json)) {
        if (seam !== undefined) {
          this.#noteSeam(seam, yield* this.#plan.scanCooperatively(seam.text, this.#contextOf(seam)));
        }
        yield;
      }
    } else if (body.length > 0) {
      yield* this.#scanCooperatively(body.toString('utf8'), 'body');
      for (const joined of readSequenceTexts(body)) {
        this.#noteJoined(joined, yield* this.#plan.scanCooperatively(joined.text, this.#context));
        yield;
      }
    }
  }

  #scan(text: string, where: Where): void {
    const isDefined = where === 'key' && definitions.has(this.#context.place[0]);
    if (isDefined && this.#cleanKeys.has(text)) return;
    const findings =
      where === 'text'
        ? scanPlaced(this.#plan, this.#placed(text), this.#context)
        : this.#plan.scan(text, this.#context);
    if (findings.length > 0) this.#note(text, where, findings);
    else if (isDefined) this.#cleanKeys.add(text);
  }

  *#scanCooperatively(text: string, where: Where): Generator<undefined, void> {
    if (where === 'key' && text.length <= longestName) return this.#scan(text, where);
    const findings =
      where === 'text'
        ? yield* scanPlacedCooperatively(this.#plan, this.#placed(text), this.#context)
        : yield* this.#plan.scanCooperatively(text, this.#context);
    if (findings.length > 0) this.#note(text, where, findings);
    yield;
  }

  #placed(text: string) {
    return { root: this.#exchange.json, text, path: this.#context.place, isKey: false };
  }

  /** What stands in the source as it is has been found there. */
  #noteJoined({ text, standsInSource }: JoinedText, findings: readonly Finding[]): void {
    const across = findings.filter(({ start, end }) => !standsInSource(start, end));
    refuseToHide(across, 'Something to be hidden stands in several values');
    if (across.length > 0) this.#note(text, 'body', across);
  }

  /** The digits of long numbers as they were written, and of long rows of digits in texts. */
  #longDigits(): string {
    this.#context.place = [];
    return (this.#exchange.body.toString('utf8').match(longDigits) ?? []).join('\n');
  }

  #noteWritten(findings: readonly Finding[]): void {
    refuseToHide(findings, 'A number to be hidden has more than sixteen digits');
    this.#tell(findings, this.#context.pointer());
  }

  #contextOf({ pieces }: Seam): TextContext {
    this.#context.place = pieces[0]?.path ?? [];
    return this.#context;
  }

  #noteSeam(seam: Seam, found: readonly Finding[]): void {
    const findings = acrossParts(seam, found);
    this.#tell(findings, this.#context.pointer());
    for (const finding of findings.filter((each) => enforcedAction(each) === 'redact')) {
      for (const [{ path, whole }, part] of inParts(seam, finding)) this.#redact({ path, isKey: false }, whole, [part]);
    }
  }

  #note(text: string, where: Where, findings: readonly Finding[]): void {
    const isPlain = where === 'query' || where === 'body';
    this.#tell(findings, where === 'query' ? '?' : where === 'body' ? '/' : this.#context.pointer());
    const place: Place = isPlain
      ? where
      : { path: [...this.#context.place], isKey: where === 'key', isNumber: where === 'number' };
    const hidden = findings.filter((finding) => enforcedAction(finding) === 'redact');
    if (hidden.length > 0) this.#redact(place, text, hidden);
  }

  #tell(findings: readonly Finding[], where: string): void {
    const location = maskLocation(where);
    const { origin } = this.#context;
    for (const finding of findings)
      this.#exchange.findings.push({ ...finding, direction: 'request', location, origin });
  }

  #redact(place: Place, text: string, findings: readonly Finding[]): void {
    const name = typeof place === 'string' ? place : `${place.isKey}${renderPointer(place.path)}`;
    const known = this.#toRedact.get(name)?.findings ?? [];
    this.#toRedact.set(name, { place, text, findings: [...known, ...findings] });
  }
}

/** @throws {NotRewritable} when something is to be hidden among them */
function refuseToHide(findings: readonly Finding[], problem: string): void {
  if (findings.some((finding) => enforcedAction(finding) === 'redact')) throw new NotRewritable(problem);
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

/**
 * Bytes are read where they are text, and pass where their type is that of a file or of a form with files. Texts as the
 * tokens of some model are not read here.
 */
function isReadable({ json, body, request, dialect }: Exchange): boolean {
  if (json !== undefined) return dialect.holdsTokens?.(json) !== true;
  if (body.length === 0) return true;
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
