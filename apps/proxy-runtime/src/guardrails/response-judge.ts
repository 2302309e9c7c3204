import type { ResponseFilter, StreamVerdict } from '@portcullis/core/pipeline/stage';
import type { GuardrailMessage, GuardrailQuestion } from '@portcullis/platform/guardrails/adapters/guardrail-question';
import type { Exchange } from '../exchange/exchange.ts';
import { refuseUnit, refusesUnits } from '../client/refuse-unit.ts';
import type { StreamText } from '@portcullis/platform/inspection/inspected-unit';
import type { StreamUnit } from '../framing/stream-unit.ts';
import { CheckLedger, type Check } from '../exchange/check-ledger.ts';
import { TextBuffer } from './text-buffer.ts';
import type { GuardrailService } from './guardrail-service.ts';
import { canBlock, type GuardrailList } from '../snapshot/guardrail-entry.ts';
import { isFile, readPrompt, readText } from './read-messages.ts';
import { denialOf } from './check-denial.ts';

/** Characters of a stream that are asked about at once. */
const pieceCharacters = 1_000;
/** How long text waits for more before it is asked about. */
const maxWaitMs = 1_000;
/** Bytes held, and questions under way, beyond which the target should pause. */
const [maxHeldBytes, maxUnderWay] = [262_144, 8];

interface ResponseJudgeParts {
  readonly exchange: Exchange;
  readonly guardrails: GuardrailList;
  readonly ledger: CheckLedger;
  readonly service: Pick<GuardrailService, 'ask' | 'watch'>;
  /** Takes a check on a message that was refused alone: the end of its stream may be hours away. */
  readonly appendLate: (check: Check) => void;
  /** Name under which refusals are recorded. */
  readonly stage: string;
  readonly wake: () => void;
}

interface HeldUnit {
  readonly unit: StreamUnit;
  /** Number of the piece that its text is in. */
  readonly piece: number;
}

/**
 * Gathers the text of an answer into pieces and lets a unit go when every provider that may block has let
 * its piece and all before it pass. On a stream of messages each is a piece, and refused alone. Providers that only monitor are asked once, at the end, and hold nothing.
 */
export class ResponseJudge implements ResponseFilter<StreamUnit> {
  readonly #parts: ResponseJudgeParts;
  readonly #blockers: GuardrailList;
  readonly #stop = new AbortController();
  #buffer = new TextBuffer();
  readonly #whole: TextBuffer | undefined;
  #held: HeldUnit[] = [];
  #heldBytes = 0;
  /** Number of the piece that is being gathered. */
  #piece = 0;
  readonly #passed = new Set<number>();
  /** All pieces before this one have passed. */
  #passedBefore = 0;
  #underWay = 0;
  #ended = false;
  #blocking: Check | undefined;
  /** What leaves in the place of messages that were refused alone, by their pieces. */
  readonly #refused = new Map<number, Check>();
  #timer: NodeJS.Timeout | undefined;
  /** What went wrong here, for the chain to be told of. */
  #fault: Error | undefined;

  constructor(parts: ResponseJudgeParts) {
    this.#parts = parts;
    this.#blockers = parts.guardrails.filter(canBlock);
    if (this.#blockers.length < parts.guardrails.length) this.#whole = new TextBuffer();
  }

  get waiting(): boolean {
    return this.#ended && this.#underWay > 0 && this.#blocking === undefined;
  }

  get congested(): boolean {
    return this.#heldBytes > maxHeldBytes || this.#underWay > maxUnderWay;
  }

  push(unit: StreamUnit): StreamVerdict<StreamUnit> {
    const complete = this.#gather(unit);
    if (this.#blockers.length === 0) return { kind: 'release', units: [unit] };
    if (this.#held.length === 0 && this.#buffer.length === 0) return { kind: 'release', units: [unit] };
    this.#held.push({ unit, piece: this.#buffer.length === 0 ? this.#piece - 1 : this.#piece });
    this.#heldBytes += unit.bytes.length;
    if (complete || this.#buffer.length >= pieceCharacters) this.#askBlockers();
    else if (this.#buffer.length > 0) this.#timer ??= setTimeout(() => this.#askBlockers(), maxWaitMs).unref();
    return { kind: 'hold' };
  }

  end(): StreamVerdict<StreamUnit> {
    this.#ended = true;
    this.#askBlockers();
    this.#askMonitors();
    return this.#underWay > 0 ? { kind: 'hold' } : this.wake();
  }

  wake(): StreamVerdict<StreamUnit> {
    if (this.#fault !== undefined) throw this.#fault;
    const units = this.#takePassed();
    if (this.#blocking === undefined) return { kind: 'release', units };
    this.#held = [];
    return { kind: 'cut', denial: denialOf(this.#blocking), units };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.#held = [];
    this.#askMonitors();
  }

  /** Answers whether what was gathered is complete in itself. */
  #gather({ content, terminal }: StreamUnit): boolean {
    const texts: readonly Pick<StreamText, 'channel' | 'text' | 'alone' | 'media'>[] =
      content.kind === 'value' ? [{ channel: `value`, text: `${readText(content.value)}\n` }] : content.texts;
    for (const { channel, text, alone, media } of texts) {
      if (alone === true && isName(text)) continue;
      if (media !== undefined && isFile(text)) continue;
      if (this.#blockers.length > 0) this.#buffer.add(channel, text);
      this.#whole?.add(channel, text);
    }
    return content.kind === 'value' || terminal;
  }

  #askBlockers(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#buffer.length === 0 || this.#blocking !== undefined) return;
    const question = this.#questionOf(this.#buffer.take());
    // A message says nothing of the one before, which may have been refused.
    if (refusesUnits(this.#parts.exchange)) this.#buffer = new TextBuffer();
    const piece = this.#piece;
    this.#piece += 1;
    const { service, wake } = this.#parts;
    if (question === undefined) {
      this.#pass(piece);
      return queueMicrotask(wake);
    }
    this.#underWay += 1;
    const ledger = this.#openLedger();
    service
      .ask(this.#blockers, () => question, { ledger, signal: this.#stop.signal })
      .then((blocking) => {
        this.#underWay -= 1;
        if (this.#stop.signal.aborted) return;
        if (blocking === undefined) this.#pass(piece);
        else if (refusesUnits(this.#parts.exchange)) this.#refuse(piece, blocking);
        else this.#block(blocking);
        this.#keep(ledger, blocking);
        wake();
      })
      .catch((error: unknown) => {
        this.#fault = asError(error);
        wake();
      });
  }

  /** Checks on one message of many are told, or added to those of the others, when there is a verdict. */
  #openLedger(): CheckLedger {
    const { exchange, ledger, appendLate } = this.#parts;
    return refusesUnits(exchange) ? new CheckLedger(appendLate) : ledger;
  }

  #keep(checks: CheckLedger, blocking: Check | undefined): void {
    const { ledger, appendLate } = this.#parts;
    if (checks === ledger) return;
    for (const check of checks.settle()) {
      if (blocking === undefined) ledger.add(check);
      else appendLate(check);
    }
  }

  #askMonitors(): void {
    if (this.#whole === undefined) return;
    const question = this.#questionOf(this.#whole.take());
    if (question === undefined) return;
    const { service, ledger, guardrails } = this.#parts;
    service.watch(
      guardrails.filter((guardrail) => !canBlock(guardrail)),
      () => question,
      ledger,
    );
  }

  #questionOf(texts: readonly string[]): GuardrailQuestion | undefined {
    const messages = texts
      .filter((text) => text.trim() !== '')
      .map((text): GuardrailMessage => ({ role: 'assistant', text }));
    if (messages.length === 0) return undefined;
    return { direction: 'response', messages, prompt: readPrompt(this.#parts.exchange) };
  }

  #pass(piece: number): void {
    this.#passed.add(piece);
    while (this.#passed.delete(this.#passedBefore)) this.#passedBefore += 1;
  }

  /** The stream goes on without the message. */
  #refuse(piece: number, check: Check): void {
    this.#refused.set(piece, check);
    this.#pass(piece);
  }

  /** The first one that blocks ends the answer; what the others would say changes nothing. */
  #block(check: Check): void {
    this.#blocking ??= check;
    clearTimeout(this.#timer);
    this.#stop.abort();
  }

  #takePassed(): readonly StreamUnit[] {
    const waiting = this.#held.findIndex(({ piece }) => piece >= this.#passedBefore);
    const passed = this.#held.splice(0, waiting === -1 ? this.#held.length : waiting);
    const units = passed.flatMap((held) => this.#replace(held));
    for (const { unit } of passed) this.#heldBytes -= unit.bytes.length;
    for (const piece of this.#refused.keys()) if (piece < this.#passedBefore) this.#refused.delete(piece);
    return units;
  }

  #replace({ unit, piece }: HeldUnit): readonly StreamUnit[] {
    const check = this.#refused.get(piece);
    const saysNothing = unit.content.kind === 'texts' && unit.content.texts.length === 0;
    if (check === undefined || saysNothing) return [unit];
    const { exchange, stage } = this.#parts;
    return unit.content.kind === 'value' ? refuseUnit(exchange, unit, { denial: denialOf(check), stage }) : [];
  }
}

/** Ids, kinds and the like say nothing that anybody could judge. */
const isName = (text: string): boolean => text.length <= 64 && !/\s/.test(text);

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
