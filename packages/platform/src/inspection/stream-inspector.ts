import type { TextOrigin } from '@portcullis/contracts/policy-file';
import { JsonChanges } from '@portcullis/core/json/splice-json';
import { stringsIn, visitStrings, type JsonPath } from '@portcullis/core/json/visit-strings';
import type { StreamVerdict } from '@portcullis/core/pipeline/stage';
import type { Finding, PolicyPlan } from '@portcullis/core/policy/policy';
import { Placeholders } from '@portcullis/core/policy/redaction/placeholders';
import { finish } from '@portcullis/core/collections/finish-steps';
import { decide, enforcedAction } from '@portcullis/core/policy/verdict/decide';
import type { AnswerTexts, UnitChanges } from './answer-texts.ts';
import type { InspectedUnit, StreamText, ValueContent } from './inspected-unit.ts';
import { isJsonField } from './json-fields.ts';
import type { DeclaredMedia } from './declared-media.ts';
import { isUnreadable, NotRewritable } from './not-rewritable.ts';
import { addFindings } from './add-findings.ts';
import { spanningFindings, findPartBoundaries, type PartBoundary } from './part-boundaries.ts';
import { ResponseChannel } from './response-channel.ts';
import { scanMedia, scanPlaced, scanPlacedCooperatively } from './scan-media.ts';
import { isSigned } from './signed-parts.ts';
import type { SteppedFilter } from './sliced-filter.ts';
import type { TextContext } from './text-context.ts';
import { ValueTexts } from './value-texts.ts';

/** Bytes that may wait behind a text that is not decided yet, images among them; a target that sends more is cut off. */
const maxHeldBytes = 33_554_432;
/** Texts told apart in one stream; a target that opens more is cut off. */
const maxChannels = 1_024;

/** Texts remembered of one stream, and how long they may be. */
const [maxClean, longestClean] = [64, 200];

interface HeldUnit<Unit> {
  readonly unit: Unit;
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

/** Only what a model has said can be signed: results of tools and agents have any form that their authors like. */
const isSignedIn = (value: unknown, path: JsonPath, { origin }: TextContext): boolean =>
  origin === 'assistant' && isSigned(value, path);

const isSignedBoundary = (value: unknown, { pieces }: PartBoundary, context: TextContext): boolean =>
  pieces.some(({ path }) => isSignedIn(value, path, context));

const isReady = (ends: readonly TextEnd[]): boolean => ends.every(({ channel, offset }) => channel.ready >= offset);

const hold = { kind: 'hold' } as const;
const release = <Unit>(units: readonly Unit[]): StreamVerdict<Unit> => ({ kind: 'release', units });

/**
 * Scans each channel of a stream as it passes. A unit leaves when the outcome of every character in it
 * is certain and all units before it have left, so a forbidden text is stopped, or replaced, before its
 * first character, however it is split, and all else goes on as it came.
 */
export class StreamInspector<Unit extends InspectedUnit> implements SteppedFilter<Unit> {
  readonly #answer: AnswerTexts<Unit>;
  readonly #plan: PolicyPlan;
  /** Undefined when texts of this answer are never rewritten. */
  readonly #placeholders: Placeholders | undefined;
  readonly #channels = new Map<string, ResponseChannel>();
  /** Texts complete in themselves in which there was nothing: ids and names stand in every event. */
  readonly #clean = new Set<string>();
  #held: HeldUnit<Unit>[] = [];
  #heldBytes = 0;

  constructor(answer: AnswerTexts<Unit>, plan: PolicyPlan) {
    this.#answer = answer;
    this.#plan = plan;
    const { placeholders } = answer;
    if (plan.redacts || placeholders?.restores === true)
      this.#placeholders = placeholders ?? new Placeholders(() => []);
  }

  sizeOf(unit: Unit): number {
    return this.#answer.sizeOf(unit);
  }

  push(unit: Unit): StreamVerdict<Unit> {
    const { content } = unit;
    if (this.#cannotRead(unit)) return this.#cut('unreadable_answer');
    const from = this.#startedAt();
    try {
      if (unit.lines !== undefined && !this.#mayPass(unit.lines)) return this.#cut('policy_violation_response');
      return content.kind === 'value' ? this.#pushValue(unit, content) : this.#pushTexts(unit, content.texts);
    } catch (error) {
      return this.#cutUnreadable(error);
    } finally {
      this.#addTime(from);
    }
  }

  /** The same for a long unit. */
  *pushCooperatively(unit: Unit): Generator<undefined, StreamVerdict<Unit>> {
    const { content } = unit;
    if (this.#cannotRead(unit)) return this.#cut('unreadable_answer');
    const from = this.#startedAt();
    try {
      if (unit.lines !== undefined && !this.#mayPass(unit.lines)) return this.#cut('policy_violation_response');
      return content.kind === 'value'
        ? yield* this.#pushValueCooperatively(unit, content)
        : yield* this.#pushTextsCooperatively(unit, content.texts);
    } catch (error) {
      return this.#cutUnreadable(error);
    } finally {
      this.#addTime(from);
    }
  }

  end(): StreamVerdict<Unit> {
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

  #pushTexts(unit: Unit, texts: readonly StreamText[]): StreamVerdict<Unit> {
    const ends: TextEnd[] = [];
    let alone: ValueTexts | undefined;
    for (const piece of texts) {
      if (piece.alone === true) {
        if (this.#clean.has(piece.text)) continue;
        alone ??= this.#openTexts(this.#answer.pieceContext());
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
      if (piece.isLast === true && this.#closes(piece.channel, channel)) return this.#cut('policy_violation_response');
      ends.push({ piece, channel, offset: channel.length });
    }
    return this.#queue(unit, ends, alone);
  }

  *#pushTextsCooperatively(unit: Unit, texts: readonly StreamText[]): Generator<undefined, StreamVerdict<Unit>> {
    const ends: TextEnd[] = [];
    let alone: ValueTexts | undefined;
    for (const piece of texts) {
      if (piece.alone === true) {
        alone ??= this.#openTexts(this.#answer.pieceContext());
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
      if (piece.isLast === true && this.#closes(piece.channel, channel)) return this.#cut('policy_violation_response');
      ends.push({ piece, channel, offset: channel.length });
      yield;
    }
    return this.#queue(unit, ends, alone);
  }

  /** Ends a channel before its stream does. @returns whether something in it blocks */
  #closes(name: string, channel: ResponseChannel): boolean {
    this.#channels.delete(name);
    return this.#blocks(channel.end(), name, channel.origin);
  }

  /** Undefined for a piece that is no media by its bytes: it is read as the text that it is. */
  *#scanMedia(
    { text, channel, source }: StreamText,
    media: DeclaredMedia,
  ): Generator<undefined, 'blocks' | 'passes' | undefined> {
    const context = this.#answer.pieceContext(source);
    const findings = yield* scanMedia(this.#plan, text, media, context);
    if (findings === undefined) return undefined;
    return this.#blocks(findings, channel, context.origin) ? 'blocks' : 'passes';
  }

  /** A value is complete in itself: nothing in it waits for what follows. */
  #pushValue(unit: Unit, { value, isText }: ValueContent): StreamVerdict<Unit> {
    const texts = this.#openTexts(this.#answer.valueContext(value));
    const isSignedHere = (): boolean => isSignedIn(value, texts.context.place, texts.context);
    visitStrings(value, (text, path, isKey, isNumber) => {
      if (isText?.(path, isKey) === false) return;
      texts.context.place = path;
      const placed = { root: value, text, path, isKey: isKey || isNumber };
      texts.take({ text, isKey, isNumber }, scanPlaced(this.#plan, placed, texts.context), isSignedHere);
    });
    for (const boundary of findPartBoundaries(value)) {
      if (boundary === undefined) continue;
      texts.context.place = boundary.pieces[0]?.path ?? [];
      texts.takeBoundary(spanningFindings(boundary, this.#plan.scan(boundary.text, texts.context)), () =>
        isSignedBoundary(value, boundary, texts.context),
      );
    }
    return this.#pushTaken(unit, texts);
  }

  *#pushValueCooperatively(unit: Unit, { value, isText }: ValueContent): Generator<undefined, StreamVerdict<Unit>> {
    const texts = this.#openTexts(this.#answer.valueContext(value));
    const isSignedHere = (): boolean => isSignedIn(value, texts.context.place, texts.context);
    for (const place of stringsIn(value)) {
      if (place !== undefined && isText?.(place.path, place.isKey) !== false) {
        const { text, path, isKey, isNumber } = place;
        texts.context.place = path;
        const placed = { root: value, text, path, isKey: isKey || isNumber };
        const findings = yield* scanPlacedCooperatively(this.#plan, placed, texts.context);
        texts.take({ text, isKey, isNumber }, findings, isSignedHere);
      }
      yield;
    }
    for (const boundary of findPartBoundaries(value)) {
      if (boundary !== undefined) {
        texts.context.place = boundary.pieces[0]?.path ?? [];
        const findings = yield* this.#plan.scanCooperatively(boundary.text, texts.context);
        texts.takeBoundary(spanningFindings(boundary, findings), () =>
          isSignedBoundary(value, boundary, texts.context),
        );
      }
      yield;
    }
    return this.#pushTaken(unit, texts);
  }

  #takeAlone(alone: ValueTexts, piece: StreamText, findings: readonly Finding[]): void {
    const before = alone.changes.size;
    alone.take(piece, findings, () => piece.isSigned === true);
    this.#noteClean(piece.text, findings.length === 0 && alone.changes.size === before);
  }

  #noteClean(text: string, isClean: boolean): void {
    if (isClean && text.length <= longestClean && this.#clean.size < maxClean) this.#clean.add(text);
  }

  #openTexts(context: TextContext): ValueTexts {
    return new ValueTexts(context, this.#placeholders, (findings) =>
      this.#blocks(findings, context.pointer(), context.origin),
    );
  }

  #pushTaken(unit: Unit, texts: ValueTexts): StreamVerdict<Unit> {
    return texts.blocks ? this.#refuse(unit) : this.#queue(this.#rewrite(unit, texts), []);
  }

  #rewrite(unit: Unit, { changes, hides, numbers }: UnitChanges): Unit {
    return changes.size + numbers.length === 0 ? unit : this.#answer.rewrite(unit, { changes, hides, numbers });
  }

  /** Sends the unit on as soon as it and all before it are ready. */
  #queue(unit: Unit, ends: readonly TextEnd[], alone?: ValueTexts): StreamVerdict<Unit> {
    if (this.#held.length === 0 && isReady(ends)) return release([this.#take({ unit, ends, alone })]);
    this.#held.push({ unit, ends, alone });
    this.#heldBytes += this.sizeOf(unit);
    const units = this.#takeReady();
    if (units.length > 0) return release(units);
    return this.#heldBytes > maxHeldBytes ? this.#cut('target_failed') : hold;
  }

  #openChannel({ channel: name, path, isJson, isSigned: stays, source }: StreamText): ResponseChannel | undefined {
    if (this.#channels.size >= maxChannels) return undefined;
    const context = this.#answer.pieceContext(source);
    const placeholders = stays === true ? undefined : this.#placeholders;
    const channel = new ResponseChannel(this.#plan.openStream(context), placeholders, context.origin, {
      side: 'response',
      isJson: isJson ?? isJsonField(path),
    });
    this.#channels.set(name, channel);
    return channel;
  }

  #blocks(findings: readonly Finding[], location: string, origin: TextOrigin): boolean {
    if (findings.length === 0) return false;
    addFindings(this.#answer.findings, findings, { direction: 'response', location, origin });
    return decide(findings).action === 'block';
  }

  /** Takes the units from the front whose texts are all ready. */
  #takeReady(): readonly Unit[] {
    let count = 0;
    while (count < this.#held.length && isReady((this.#held[count] as HeldUnit<Unit>).ends)) count += 1;
    return this.#held.splice(0, count).map((held) => {
      this.#heldBytes -= this.sizeOf(held.unit);
      return this.#take(held);
    });
  }

  #take({ unit, ends, alone }: HeldUnit<Unit>): Unit {
    if (this.#placeholders === undefined) return unit;
    const changes = alone?.changes ?? new JsonChanges();
    let hides = alone?.hides ?? false;
    for (const { piece, channel, offset } of ends) {
      const taken = channel.take(offset);
      if (taken === undefined) continue;
      hides ||= taken.hides;
      if (taken.text !== piece.text) changes.set(piece.path, piece.isKey, taken.text);
    }
    return this.#rewrite(unit, { changes, hides, numbers: alone?.numbers ?? [] });
  }

  /** Refuses a message alone where its stream can go on without it, else the rest of the answer. */
  #refuse(unit: Unit): StreamVerdict<Unit> {
    const instead = this.#answer.refuseUnit?.(unit);
    if (instead === undefined) return this.#cut('policy_violation_response');
    const [replacement] = instead;
    return replacement === undefined ? release([]) : this.#queue(replacement, []);
  }

  /** Reads the lines of an event beside its data. No client needs what is to be hidden there. @throws {NotRewritable} */
  #mayPass(lines: string): boolean {
    if (this.#clean.has(lines)) return true;
    const context = this.#answer.pieceContext();
    const findings = this.#plan.scan(lines, context);
    if (findings.some((finding) => enforcedAction(finding) === 'redact')) {
      throw new NotRewritable('Something to be hidden stands beside the data of an event');
    }
    this.#noteClean(lines, findings.length === 0);
    return !this.#blocks(findings, 'lines of an event', context.origin);
  }

  /** What policies cannot read does not leave where they enforce something, unless the data plane lets it pass. */
  #cannotRead({ unreadable }: Unit): boolean {
    return unreadable !== undefined && this.#plan.enforces && !this.#answer.passesUnread;
  }

  /** What was safe before the match still leaves; the rest never does. */
  #cut(reason: 'policy_violation_response' | 'unreadable_answer' | 'target_failed'): StreamVerdict<Unit> {
    const units = this.#takeReady();
    this.#held = [];
    return { kind: 'cut', denial: { reason }, units };
  }

  /** An answer that cannot be read, or not be rewritten, as its client will read it does not leave. */
  #cutUnreadable(error: unknown): StreamVerdict<Unit> {
    if (!isUnreadable(error)) throw error;
    this.#held = [];
    return { kind: 'cut', denial: { reason: 'target_failed' }, units: [] };
  }

  /** Reading the clock costs as much as a good part of a scan, so it is read only where the time is asked for. */
  #startedAt(): number {
    return this.#answer.addTime === undefined ? 0 : performance.now();
  }

  #addTime(from: number): void {
    this.#answer.addTime?.(performance.now() - from);
  }
}
