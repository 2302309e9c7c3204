import type { TextOrigin } from '@portcullis/contracts/policy-file';
import { JsonChanges } from '@portcullis/core/json/splice-json';
import { RepeatedKey } from '@portcullis/core/json/visit-json-source';
import { NestedTooDeep, stringsIn, visitStrings } from '@portcullis/core/json/visit-strings';
import type { ResponseStage, StreamVerdict } from '@portcullis/core/pipeline/stage';
import { decide, enforcedAction } from '@portcullis/core/policy/verdict/decide';
import type { Finding, PolicyPlan } from '@portcullis/core/policy/policy';
import { finish } from '@portcullis/core/policy/scan/steps';
import { Placeholders } from '@portcullis/core/policy/redaction/placeholders';
import type { Exchange } from '../exchange.ts';
import { isJsonField } from '../inspection/json-fields.ts';
import { InTurns, type SteppedFilter } from '../inspection/in-turns.ts';
import { acrossParts, partSeams } from '../inspection/part-seams.ts';
import type { DeclaredMedia } from '../inspection/media-place.ts';
import { scanMedia, scanPlaced, scanPlacedCooperatively } from '../inspection/scan-media.ts';
import { TextContext } from '../inspection/text-context.ts';
import { ValueTexts } from '../inspection/value-texts.ts';
import { refuseAlone, refusesAlone } from '../mcp/refuse-alone.ts';
import type { StreamText } from '../dialects/dialect.ts';
import { maskLocation } from '../redaction/mask-location.ts';
import { NotRewritable } from '../redaction/not-rewritable.ts';
import { ResponseChannel } from '../redaction/response-channel.ts';
import { hideNumbers, rewriteUnit } from '../redaction/rewrite-unit.ts';
import type { StreamUnit } from '../traffic/stream-unit.ts';

/** Bytes that may wait behind a text that is not decided yet, images among them; a target that sends more is cut off. */
const maxHeldBytes = 33_554_432;
/** Texts told apart in one stream; a target that opens more is cut off. */
const maxChannels = 1_024;

/** Texts remembered of one stream, and how long they may be. */
const [maxClean, longestClean] = [64, 200];

interface HeldUnit {
  readonly unit: StreamUnit;
  /** Its texts that continue others, and where each ends in its channel. */
  readonly ends: readonly TextEnd[];
  /** What became of the texts that are complete in themselves. */
  readonly alone?: ValueTexts | undefined;
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
  /** Texts complete in themselves in which there was nothing: ids and names stand in every event. */
  readonly #clean = new Set<string>();
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
      if (unit.lines !== undefined && !this.#mayPass(unit.lines)) return this.#cut('policy_violation_response');
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
      if (unit.lines !== undefined && !this.#mayPass(unit.lines)) return this.#cut('policy_violation_response');
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
    let alone: ValueTexts | undefined;
    for (const piece of texts) {
      if (piece.alone === true) {
        if (this.#clean.has(piece.text)) continue;
        alone ??= this.#openAlone();
        alone.context.place = piece.path;
        this.#takeAlone(alone, piece, this.#plan.scan(piece.text, alone.context));
        if (alone.blocks) return this.#cut('policy_violation_response');
        continue;
      }
      const inMedia = piece.media && finish(this.#scanMedia(piece, piece.media));
      if (inMedia === 'blocks') return this.#cut('policy_violation_response');
      if (inMedia === 'passes') continue;
      const channel = this.#channels.get(piece.channel) ?? this.#openChannel(piece);
      if (channel === undefined) return this.#cut('target_failed');
      const findings = channel.push(piece.text);
      if (this.#blocks(findings, piece.channel, channel.origin)) return this.#cut('policy_violation_response');
      ends.push({ piece, channel, offset: channel.length });
    }
    return this.#queue(unit, ends, alone);
  }

  *#pushTextsCooperatively(
    unit: StreamUnit,
    texts: readonly StreamText[],
  ): Generator<undefined, StreamVerdict<StreamUnit>> {
    const ends: TextEnd[] = [];
    let alone: ValueTexts | undefined;
    for (const piece of texts) {
      if (piece.alone === true) {
        alone ??= this.#openAlone();
        alone.context.place = piece.path;
        this.#takeAlone(alone, piece, yield* this.#plan.scanCooperatively(piece.text, alone.context));
        if (alone.blocks) return this.#cut('policy_violation_response');
        continue;
      }
      const inMedia = piece.media && (yield* this.#scanMedia(piece, piece.media));
      if (inMedia === 'blocks') return this.#cut('policy_violation_response');
      if (inMedia === 'passes') continue;
      const channel = this.#channels.get(piece.channel) ?? this.#openChannel(piece);
      if (channel === undefined) return this.#cut('target_failed');
      const findings = yield* channel.pushCooperatively(piece.text);
      if (this.#blocks(findings, piece.channel, channel.origin)) return this.#cut('policy_violation_response');
      ends.push({ piece, channel, offset: channel.length });
      yield;
    }
    return this.#queue(unit, ends, alone);
  }

  /** Undefined for a piece that is no media by its bytes: it is read as the text that it is. */
  *#scanMedia(
    { text, channel, source }: StreamText,
    media: DeclaredMedia,
  ): Generator<undefined, 'blocks' | 'passes' | undefined> {
    const context = new TextContext(this.#exchange, 'response', undefined, source);
    const findings = yield* scanMedia(this.#plan, text, media, context);
    if (findings === undefined) return undefined;
    return this.#blocks(findings, channel, context.origin) ? 'blocks' : 'passes';
  }

  /** A value is complete in itself: nothing in it waits for what follows. */
  #pushValue(unit: StreamUnit, value: unknown): StreamVerdict<StreamUnit> {
    const texts = this.#openValue(value);
    visitStrings(value, (text, path, isKey, isNumber) => {
      texts.context.place = path;
      const placed = { root: value, text, path, isKey: isKey || isNumber };
      texts.take(text, isKey, scanPlaced(this.#plan, placed, texts.context), isNumber);
    });
    for (const seam of partSeams(value)) {
      if (seam === undefined) continue;
      texts.context.place = seam.pieces[0]?.path ?? [];
      texts.takeSeam(acrossParts(seam, this.#plan.scan(seam.text, texts.context)));
    }
    return this.#pushTaken(unit, texts);
  }

  *#pushValueCooperatively(unit: StreamUnit, value: unknown): Generator<undefined, StreamVerdict<StreamUnit>> {
    const texts = this.#openValue(value);
    for (const place of stringsIn(value)) {
      if (place !== undefined) {
        const { text, path, isKey, isNumber } = place;
        texts.context.place = path;
        const placed = { root: value, text, path, isKey: isKey || isNumber };
        texts.take(text, isKey, yield* scanPlacedCooperatively(this.#plan, placed, texts.context), isNumber);
      }
      yield;
    }
    for (const seam of partSeams(value)) {
      if (seam !== undefined) {
        texts.context.place = seam.pieces[0]?.path ?? [];
        texts.takeSeam(acrossParts(seam, yield* this.#plan.scanCooperatively(seam.text, texts.context)));
      }
      yield;
    }
    return this.#pushTaken(unit, texts);
  }

  #openValue(value: unknown): ValueTexts {
    return this.#openTexts(new TextContext(this.#exchange, 'response', value));
  }

  /** Of the texts of one event: each may take as much work as a body. */
  #openAlone(): ValueTexts {
    const source = this.#exchange.dialect.answerSources(undefined)([]);
    return this.#openTexts(new TextContext(this.#exchange, 'response', undefined, source));
  }

  #takeAlone(alone: ValueTexts, { text, isKey, isNumber }: StreamText, findings: readonly Finding[]): void {
    const before = alone.changes.size;
    alone.take(text, isKey, findings, isNumber);
    this.#noteClean(text, findings.length === 0 && alone.changes.size === before);
  }

  #noteClean(text: string, isClean: boolean): void {
    if (isClean && text.length <= longestClean && this.#clean.size < maxClean) this.#clean.add(text);
  }

  #openTexts(context: TextContext): ValueTexts {
    return new ValueTexts(context, this.#placeholders, (findings) =>
      this.#blocks(findings, context.pointer(), context.origin),
    );
  }

  #pushTaken(unit: StreamUnit, { blocks, changes, hides, numbers }: ValueTexts): StreamVerdict<StreamUnit> {
    if (blocks) return this.#refuse(unit);
    return this.#queue(hideNumbers(changes.size === 0 ? unit : rewriteUnit(unit, changes, hides), numbers), []);
  }

  /** Sends the unit on as soon as it and all before it are ready. */
  #queue(unit: StreamUnit, ends: readonly TextEnd[], alone?: ValueTexts): StreamVerdict<StreamUnit> {
    if (this.#held.length === 0 && isReady(ends)) return release([this.#take({ unit, ends, alone })]);
    this.#held.push({ unit, ends, alone });
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

  #take({ unit, ends, alone }: HeldUnit): StreamUnit {
    if (this.#placeholders === undefined) return unit;
    const changes = alone?.changes ?? new JsonChanges();
    let hides = alone?.hides ?? false;
    for (const { piece, channel, offset } of ends) {
      const taken = channel.take(offset);
      if (taken === undefined) continue;
      hides ||= taken.hides;
      if (taken.text !== piece.text) changes.set(piece.path, piece.isKey, taken.text);
    }
    return hideNumbers(changes.size === 0 ? unit : rewriteUnit(unit, changes, hides), alone?.numbers ?? []);
  }

  /** Refuses a message alone where its stream can go on without it, else the rest of the answer. */
  #refuse(unit: StreamUnit): StreamVerdict<StreamUnit> {
    const reason = 'policy_violation_response';
    if (unit.form !== 'event' || !refusesAlone(this.#exchange)) return this.#cut(reason);
    const [replacement] = refuseAlone(this.#exchange, unit, { denial: { reason }, stage: inspectResponse.name });
    return replacement === undefined ? release([]) : this.#queue(replacement, []);
  }

  /** Reads the lines of an event beside its data. No client needs what is to be hidden there. @throws {NotRewritable} */
  #mayPass(lines: string): boolean {
    if (this.#clean.has(lines)) return true;
    const { context } = this.#openAlone();
    const findings = this.#plan.scan(lines, context);
    if (findings.some((finding) => enforcedAction(finding) === 'redact')) {
      throw new NotRewritable('Something to be hidden stands beside the data of an event');
    }
    this.#noteClean(lines, findings.length === 0);
    return !this.#blocks(findings, 'lines of an event', context.origin);
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
