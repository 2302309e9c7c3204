import type { TextOrigin } from '@portcullis/contracts/policy-file';
import { JsonChanges } from '@portcullis/core/json/splice-json';
import { RepeatedKey } from '@portcullis/core/json/visit-json-source';
import { NestedTooDeep, stringsIn, visitStrings } from '@portcullis/core/json/visit-strings';
import type { ResponseStage, StreamVerdict } from '@portcullis/core/pipeline/stage';
import { decide } from '@portcullis/core/policy/verdict/decide';
import type { Finding, PolicyPlan } from '@portcullis/core/policy/policy';
import { Placeholders } from '@portcullis/core/policy/redaction/placeholders';
import type { Exchange } from '../exchange.ts';
import { isJsonField } from '../inspection/json-fields.ts';
import { InTurns, type SteppedFilter } from '../inspection/in-turns.ts';
import { TextContext } from '../inspection/text-context.ts';
import { ValueTexts } from '../inspection/value-texts.ts';
import { refuseAlone, refusesAlone } from '../mcp/refuse-alone.ts';
import type { StreamText } from '../dialects/dialect.ts';
import { maskLocation } from '../redaction/mask-location.ts';
import { NotRewritable } from '../redaction/not-rewritable.ts';
import { ResponseChannel } from '../redaction/response-channel.ts';
import { rewriteUnit } from '../redaction/rewrite-unit.ts';
import { commentChannel, type StreamUnit } from '../traffic/stream-unit.ts';

/** Bytes that may wait behind a text that is not decided yet, images among them; a target that sends more is cut off. */
const maxHeldBytes = 33_554_432;
/** Texts told apart in one stream; a target that opens more is cut off. */
const maxChannels = 1_024;

interface HeldUnit {
  readonly unit: StreamUnit;
  /** Its texts, and where each ends in its channel. */
  readonly ends: readonly TextEnd[];
}

interface TextEnd {
  readonly piece: StreamText;
  readonly channel: ResponseChannel;
  readonly offset: number;
}

const isReady = (ends: readonly TextEnd[]): boolean => ends.every(({ channel, offset }) => channel.ready >= offset);

const release = (units: readonly StreamUnit[]): StreamVerdict<StreamUnit> => ({ kind: 'release', units });
const hold: StreamVerdict<StreamUnit> = { kind: 'hold' };

/**
 * Scans each channel of a stream as it passes. A unit leaves when the outcome of every character in it
 * is certain and all units before it have left, so a forbidden text is stopped, or replaced, before its
 * first character, however it is split, and all else goes on byte for byte.
 */
class StreamInspector implements SteppedFilter<StreamUnit> {
  readonly #exchange: Exchange;
  readonly #plan: PolicyPlan;
  /** Undefined when texts of this answer are never rewritten. */
  readonly #placeholders: Placeholders | undefined;
  readonly #channels = new Map<string, ResponseChannel>();
  #held: HeldUnit[] = [];
  #heldBytes = 0;

  constructor(exchange: Exchange, plan: PolicyPlan) {
    this.#exchange = exchange;
    this.#plan = plan;
    if (plan.redacts || exchange.placeholders?.restores === true) {
      this.#placeholders = exchange.placeholders ?? new Placeholders(() => []);
    }
  }

  push(unit: StreamUnit): StreamVerdict<StreamUnit> {
    const { content } = unit;
    if (this.#cannotRead(unit)) return this.#cut('unreadable_answer');
    const from = this.#startedAt();
    try {
      return content.kind === 'value' ? this.#pushValue(unit, content.value) : this.#pushTexts(unit, content.texts);
    } catch (error) {
      return this.#cutUnreadable(error);
    } finally {
      this.#addTime(from);
    }
  }

  /** The same for a long unit. */
  *pushCooperatively(unit: StreamUnit): Generator<undefined, StreamVerdict<StreamUnit>> {
    const { content } = unit;
    if (this.#cannotRead(unit)) return this.#cut('unreadable_answer');
    const from = this.#startedAt();
    try {
      return content.kind === 'value'
        ? yield* this.#pushValueCooperatively(unit, content.value)
        : yield* this.#pushTextsCooperatively(unit, content.texts);
    } catch (error) {
      return this.#cutUnreadable(error);
    } finally {
      this.#addTime(from);
    }
  }

  end(): StreamVerdict<StreamUnit> {
    const from = this.#startedAt();
    try {
      for (const [name, channel] of this.#channels) {
        if (this.#blocks(channel.end(), name, channel.origin)) return this.#cut('policy_violation_response');
      }
      return release(this.#takeReady());
    } catch (error) {
      return this.#cutUnreadable(error);
    } finally {
      this.#addTime(from);
    }
  }

  #pushTexts(unit: StreamUnit, texts: readonly StreamText[]): StreamVerdict<StreamUnit> {
    const ends: TextEnd[] = [];
    for (const piece of texts) {
      const channel = this.#channels.get(piece.channel) ?? this.#openChannel(piece);
      if (channel === undefined) return this.#cut('target_failed');
      const findings = channel.push(piece.text);
      if (this.#blocks(findings, piece.channel, channel.origin)) return this.#cut('policy_violation_response');
      ends.push({ piece, channel, offset: channel.length });
    }
    return this.#queue(unit, ends);
  }

  *#pushTextsCooperatively(
    unit: StreamUnit,
    texts: readonly StreamText[],
  ): Generator<undefined, StreamVerdict<StreamUnit>> {
    const ends: TextEnd[] = [];
    for (const piece of texts) {
      const channel = this.#channels.get(piece.channel) ?? this.#openChannel(piece);
      if (channel === undefined) return this.#cut('target_failed');
      const findings = yield* channel.pushCooperatively(piece.text);
      if (this.#blocks(findings, piece.channel, channel.origin)) return this.#cut('policy_violation_response');
      ends.push({ piece, channel, offset: channel.length });
      yield;
    }
    return this.#queue(unit, ends);
  }

  /** A value is complete in itself: nothing in it waits for what follows. */
  #pushValue(unit: StreamUnit, value: unknown): StreamVerdict<StreamUnit> {
    const texts = this.#openValue(value);
    visitStrings(value, (text, path, isKey) => {
      texts.context.place = path;
      texts.take(text, isKey, this.#plan.scan(text, texts.context));
    });
    return this.#pushTaken(unit, texts);
  }

  *#pushValueCooperatively(unit: StreamUnit, value: unknown): Generator<undefined, StreamVerdict<StreamUnit>> {
    const texts = this.#openValue(value);
    for (const { text, path, isKey } of stringsIn(value)) {
      texts.context.place = path;
      texts.take(text, isKey, yield* this.#plan.scanCooperatively(text, texts.context));
      yield;
    }
    return this.#pushTaken(unit, texts);
  }

  #openValue(value: unknown): ValueTexts {
    const context = new TextContext(this.#exchange, 'response', value);
    return new ValueTexts(context, this.#placeholders, (findings) =>
      this.#blocks(findings, context.pointer(), context.origin),
    );
  }

  #pushTaken(unit: StreamUnit, { blocks, changes, hides }: ValueTexts): StreamVerdict<StreamUnit> {
    if (blocks) return this.#refuse(unit);
    return this.#queue(changes.size === 0 ? unit : rewriteUnit(unit, changes, hides), []);
  }

  /** Sends the unit on as soon as it and all before it are ready. */
  #queue(unit: StreamUnit, ends: readonly TextEnd[]): StreamVerdict<StreamUnit> {
    if (this.#held.length === 0 && isReady(ends)) return release([this.#take({ unit, ends })]);
    this.#held.push({ unit, ends });
    this.#heldBytes += unit.bytes.length;
    const units = this.#takeReady();
    if (units.length > 0) return release(units);
    return this.#heldBytes > maxHeldBytes ? this.#cut('target_failed') : hold;
  }

  #openChannel({ channel: name, path, isJson, source }: StreamText): ResponseChannel | undefined {
    if (this.#channels.size >= maxChannels) return undefined;
    const context = new TextContext(this.#exchange, 'response', undefined, source);
    const channel = new ResponseChannel(this.#plan.openStream(context), this.#placeholders, context.origin, {
      side: 'response',
      isJson: isJson ?? isJsonField(path),
      // What comes back may hold the line ends with which a comment ends.
      neverRestore: name === commentChannel,
    });
    this.#channels.set(name, channel);
    return channel;
  }

  #blocks(findings: readonly Finding[], location: string, origin: TextOrigin): boolean {
    if (findings.length === 0) return false;
    const place = maskLocation(location);
    for (const finding of findings)
      this.#exchange.findings.push({ ...finding, direction: 'response', location: place, origin });
    return decide(findings).action === 'block';
  }

  /** Takes the units from the front whose texts are all ready. */
  #takeReady(): readonly StreamUnit[] {
    let count = 0;
    while (count < this.#held.length && isReady((this.#held[count] as HeldUnit).ends)) count += 1;
    return this.#held.splice(0, count).map((held) => {
      this.#heldBytes -= held.unit.bytes.length;
      return this.#take(held);
    });
  }

  #take({ unit, ends }: HeldUnit): StreamUnit {
    if (this.#placeholders === undefined) return unit;
    const changes = new JsonChanges();
    let hides = false;
    for (const { piece, channel, offset } of ends) {
      const taken = channel.take(offset);
      if (taken === undefined) continue;
      hides ||= taken.hides;
      if (taken.text !== piece.text) changes.set(piece.path, piece.isKey, taken.text);
    }
    return changes.size === 0 ? unit : rewriteUnit(unit, changes, hides);
  }

  /** Refuses a message alone where its stream can go on without it, else the rest of the answer. */
  #refuse(unit: StreamUnit): StreamVerdict<StreamUnit> {
    const reason = 'policy_violation_response';
    if (unit.form !== 'event' || !refusesAlone(this.#exchange)) return this.#cut(reason);
    const [replacement] = refuseAlone(this.#exchange, unit, { denial: { reason }, stage: inspectResponse.name });
    return replacement === undefined ? release([]) : this.#queue(replacement, []);
  }

  /** What policies cannot read does not leave where they enforce something, unless the proxy says otherwise. */
  #cannotRead({ unreadable }: StreamUnit): boolean {
    return unreadable !== undefined && this.#plan.enforces && !this.#exchange.proxy.passesUnread;
  }

  /** What was safe before the match still leaves; the rest never does. */
  #cut(reason: 'policy_violation_response' | 'unreadable_answer' | 'target_failed'): StreamVerdict<StreamUnit> {
    const units = this.#takeReady();
    this.#held = [];
    return { kind: 'cut', denial: { reason }, units };
  }

  /** An answer that cannot be read, or not be rewritten, as its client will read it does not leave. */
  #cutUnreadable(error: unknown): StreamVerdict<StreamUnit> {
    if (!(error instanceof NestedTooDeep || error instanceof RepeatedKey || error instanceof NotRewritable))
      throw error;
    this.#held = [];
    return { kind: 'cut', denial: { reason: 'target_failed' }, units: [] };
  }

  /** Reading the clock costs as much as a good part of a scan, so it is read only for who may ask. */
  #startedAt(): number {
    return this.#exchange.proxy.explains ? performance.now() : 0;
  }

  #addTime(from: number): void {
    if (from > 0) this.#exchange.responseScanMs += performance.now() - from;
  }
}

/** Runs the assigned policies over every text of the response, hides what they want hidden and puts originals back. */
export const inspectResponse: ResponseStage<Exchange, StreamUnit> = {
  name: 'inspect-response',
  open(exchange, wake) {
    const { policies } = exchange.proxy;
    return policies === undefined ? undefined : new InTurns(new StreamInspector(exchange, policies), wake);
  },
};
