import { budgetRule, type CompiledPlan } from '../plan/compiled-plan.ts';
import type { Finding, ScanContext, StreamScan, StreamStep } from '../policy.ts';
import { StreamFold } from './stream-fold.ts';
import { PolicyStream, type StreamTables } from './stream-scan.ts';
import type { CooperativeScans } from '../scan/cooperative-scan.ts';
import { stepBlock } from '../scan/blocks.ts';
import type { TextScan } from '../scan/text-scan.ts';
import { enforcedAction } from '../verdict/decide.ts';
import { markExcepted } from '../scan/mark-excepted.ts';
import { mayHoldEscapes } from '../views/escapes.ts';
import { mayFold } from '../views/fold.ts';

/** What scans of a plan share: each reads whole texts. */
export interface SharedScans {
  readonly textScan: TextScan;
  readonly stepScans: CooperativeScans;
}

/** So much of a stream is read for what it may say otherwise, again with every so many new characters. */
const windowLength = 1_024;
const windowStep = 512;

/** So much of a long piece is folded at once: some characters stand for whole phrases. */
const foldedAtOnce = 16_384;

/** So many findings of a stream are told that nothing is done about: it may go on for days. */
const maxExcepted = 1_000;

/** A run of units that encoders write is held back from this length on, up to a window. Most words are shorter. */
const fewestHeld = 8;
/** Shorter runs hold no message. */
const fewestRead = 16;
const encoded = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[\w+/=%\\&#;{}-]/.test(String.fromCharCode(unit)) ? 1 : 0,
);

/**
 * Scans a stream as it is, as it looks, and for what is encoded in it. The first two see all that a
 * scan of the whole text sees, with the same hold-back. A run of encoded text is held back while it
 * lasts, up to a window, and read before it leaves. What is turned, spaced or spelled over several
 * words is seen when a window is full: up to 512 characters may have left by then.
 */
export class StreamViews implements StreamScan {
  readonly #plan: CompiledPlan;
  readonly #tables: StreamTables;
  readonly #context: ScanContext;
  readonly #scans: SharedScans;
  readonly #plain: PolicyStream;
  #folded: PolicyStream | undefined;
  #fold: StreamFold | undefined;
  #safeFolded = 0;
  readonly #known = new Set<string>();
  /** The end of the stream, and how much of it has not been in a window. */
  #recent = '';
  #unread = 0;
  #length = 0;
  /** Length of the run of encoded units that the stream ends with. */
  #run = 0;
  /** Findings that were excepted. */
  #excepted = 0;
  /** Something in the run, behind its first unit, is no small letter: it is more than a word. */
  #isMixed = false;
  #safe = 0;
  #blocked = Infinity;

  constructor(plan: CompiledPlan, tables: StreamTables, context: ScanContext, scans: SharedScans) {
    this.#plan = plan;
    this.#tables = tables;
    this.#context = context;
    this.#scans = scans;
    this.#plain = new PolicyStream(plan, tables, context);
  }

  push(text: string): StreamStep {
    if (this.#plan.isEmpty) return { safeOffset: (this.#length += text.length), findings: [] };
    const found: Finding[] = [];
    if (this.#fold === undefined && (mayFold(text) || mayHoldEscapes(text))) this.#openFolded(found);
    const plain = this.#plain.push(text);
    this.#collect(plain.findings, found);
    if (this.#fold !== undefined) {
      for (const part of partsOf(text)) this.#readFolded(this.#folded?.push(this.#fold.push(part)), found);
      this.#closeUnneeded();
    }
    if (this.#followRuns(text)) this.#readWindow(found);
    return this.#stepBehind(plain, found);
  }

  *pushCooperatively(text: string): Generator<undefined, StreamStep> {
    if (this.#plan.isEmpty || text.length <= stepBlock) return this.push(text);
    const found: Finding[] = [];
    if (this.#fold === undefined && (mayFold(text) || mayHoldEscapes(text))) this.#openFolded(found);
    const plain = yield* this.#plain.pushCooperatively(text);
    this.#collect(plain.findings, found);
    if (this.#fold !== undefined && this.#folded !== undefined) {
      for (const part of partsOf(text)) {
        this.#readFolded(yield* this.#folded.pushCooperatively(this.#fold.push(part)), found);
        yield;
      }
      this.#closeUnneeded();
    }
    if (this.#followRuns(text)) {
      const window = this.#window();
      this.#leaveWindow(window, yield* this.#scans.stepScans.scanReadings(window, this.#context), found);
    }
    return this.#stepBehind(plain, found);
  }

  end(): StreamStep {
    const found: Finding[] = [];
    const plain = this.#plain.end();
    this.#collect(plain.findings, found);
    if (this.#fold !== undefined) {
      this.#readFolded(this.#folded?.push(this.#fold.push('', true)), found);
      this.#readFolded(this.#folded?.end(), found);
    }
    if (this.#unread > 0) this.#readWindow(found);
    return this.#step(Math.min(plain.safeOffset, this.#safeInFolded()), found);
  }

  /** What may be released behind a piece: an encoded run waits for its end. */
  #stepBehind(plain: StreamStep, found: readonly Finding[]): StreamStep {
    const held = this.#isMixed && this.#run >= fewestHeld ? Math.min(this.#run, windowLength) : 0;
    return this.#step(Math.min(plain.safeOffset, this.#safeInFolded(), this.#length - held), found);
  }

  #step(safe: number, findings: readonly Finding[]): StreamStep {
    this.#safe = Math.max(this.#safe, Math.min(safe, this.#blocked));
    return { safeOffset: this.#safe, findings };
  }

  /** From here on the stream is also read as it looks, beginning with what patterns may still need of it. */
  #openFolded(found: Finding[]): void {
    const { position, kept } = this.#plain;
    this.#fold = new StreamFold(position.base);
    this.#folded = new PolicyStream(this.#plan, this.#tables, this.#context, position);
    this.#safeFolded = position.base;
    this.#readFolded(this.#folded.push(this.#fold.push(kept)), found);
  }

  /** What looked like the beginning of an escape was none. */
  #closeUnneeded(): void {
    if (this.#fold?.isNeeded !== false) return;
    this.#fold = undefined;
    this.#folded = undefined;
  }

  #readFolded(step: StreamStep | undefined, found: Finding[]): void {
    if (step === undefined || this.#fold === undefined) return;
    this.#safeFolded = step.safeOffset;
    for (const finding of step.findings) {
      const [start, end] = this.#fold.locate(finding.start, finding.end);
      this.#collect([{ ...finding, start, end, view: 'folded' }], found);
    }
  }

  #safeInFolded(): number {
    return this.#fold === undefined ? Infinity : this.#fold.place(this.#safeFolded);
  }

  /** Follows runs of encoded text; true when what has come together shall be read. */
  #followRuns(text: string): boolean {
    this.#length += text.length;
    this.#recent += text;
    this.#unread += text.length;
    const before = this.#run;
    let tail = 0;
    while (tail < text.length && encoded[text.charCodeAt(text.length - 1 - tail)] === 1) tail += 1;
    this.#run = tail < text.length ? tail : before + tail;
    const first = text.length - tail + (this.#run > tail ? 0 : 1);
    this.#isMixed = (this.#run > tail && this.#isMixed) || hasOther(text, first);
    const hasEnded = tail < text.length && this.#holdsRun(text, before);
    return hasEnded || this.#unread >= windowStep;
  }

  /** A run that was long enough to be held has come to its end in `text`, behind `before` units of it. */
  #holdsRun(text: string, before: number): boolean {
    let run = before;
    for (let at = 0; at < text.length; at += 1) {
      if (encoded[text.charCodeAt(at)] === 1) run += 1;
      else if (run >= fewestRead) return true;
      else run = 0;
    }
    return false;
  }

  #readWindow(found: Finding[]): void {
    const window = this.#window();
    this.#leaveWindow(window, this.#scans.textScan.scanReadings(window, this.#context), found);
  }

  /** What arrived at once is read as one text, however long it is. */
  #window(): string {
    return this.#recent.slice(-Math.max(windowLength, this.#unread + windowLength - windowStep));
  }

  #leaveWindow(window: string, findings: readonly Finding[], found: Finding[]): void {
    const base = this.#length - window.length;
    const others = markExcepted(findings.filter(isOtherReading), this.#context);
    this.#collect(
      others.map((finding) => ({ ...finding, start: finding.start + base, end: finding.end + base })),
      found,
    );
    this.#recent = this.#recent.slice(-windowLength);
    this.#unread = 0;
  }

  #collect(findings: readonly Finding[], found: Finding[]): void {
    for (const finding of findings) {
      const { policyName, ruleId, start, end, signals, exceptedBy } = finding;
      if (exceptedBy !== undefined && (this.#excepted += 1) > maxExcepted) continue;
      // A rule of signals matches once where that is enforced, and so does the end of the budget.
      const once = (signals !== undefined && exceptedBy === undefined) || ruleId === budgetRule;
      const key = once ? `${ruleId} ${policyName}` : `${start} ${end} ${ruleId} ${policyName}`;
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      found.push(finding);
      if (enforcedAction(finding) === 'block') this.#blocked = Math.min(this.#blocked, start);
    }
  }
}

function* partsOf(text: string): Generator<string, void> {
  for (let at = 0; at < text.length; at += foldedAtOnce) yield text.slice(at, at + foldedAtOnce);
}

function hasOther(text: string, from: number): boolean {
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x61 || unit > 0x7a) return true;
  }
  return false;
}

/** What the scans of the stream itself do not see: decoded parts, and judgements of the text as a whole. */
const isOtherReading = ({ view, mapped }: Finding): boolean => view !== 'folded' && (view !== 'plain' || !mapped);
