import { stringsIn, visitStrings, type JsonPath, type StringPlace } from '@portcullis/core/json/visit-strings';
import type { Finding, PolicyPlan } from '@portcullis/core/policy/policy';
import { enforcedAction } from '@portcullis/core/policy/verdict/decide';
import type { LocatedFinding } from '../traffic/located-finding.ts';
import { NotRewritable } from './not-rewritable.ts';
import { addFindings } from './add-findings.ts';
import { spanningFindings, splitFinding, findPartBoundaries, type PartBoundary } from './part-boundaries.ts';
import { findDeclaredMedia } from './declared-media.ts';
import { scanPlaced, scanPlacedCooperatively } from './scan-media.ts';
import { isSigned, monitorOnly } from './signed-parts.ts';
import { cleanTextDigests, shortestRemembered } from './clean-text-digests.ts';
import type { Conversation } from './conversation.ts';
import { nameOfPlace, BlockedTexts } from './blocked-texts.ts';
import type { TextContext } from './text-context.ts';
import type { StringAt, TextToRedact } from './text-to-redact.ts';

/** A JSON value whose strings are read, each at its place, and what parts of one list say across their ends. */
export interface ScannedValue {
  readonly value: unknown;
  /** Which of its strings are texts, where others are names of the protocol; all unless given. */
  readonly isText?: (path: JsonPath, isKey: boolean) => boolean;
  /** The JSON as it was written, where it is there: numbers of JavaScript do not have all digits of long ones. */
  readonly source?: () => string;
}

/** A part of a request that is a text itself, and how records name its place. */
export interface NamedText<Part> {
  readonly part: Part;
  readonly location: string;
  readonly text: string;
}

/** A text that is put together of pieces of a part. */
export interface JoinedText {
  readonly text: string;
  /** Whether this stretch of it stands in the part as it is, so that it has been read there. */
  readonly standsInSource: (start: number, end: number) => boolean;
}

interface PartPlace<Part> {
  readonly part: Part;
  readonly location: string;
}

/** Longer keys are texts. */
const longestName = 64;

/** Digits that a number of JavaScript has not all. */
const longDigits = /\d{17,}/g;

const isRounded = (digits: string): boolean => !Number.isSafeInteger(Number(digits));

/** Collects what policies find in the texts of one request. */
export class RequestScan<Part extends string = never> {
  readonly #plan: PolicyPlan;
  readonly #context: TextContext;
  readonly #findings: LocatedFinding[];
  readonly #toRedact = new Map<string, TextToRedact<Part>>();
  readonly #stopped: BlockedTexts;

  /**
   * @param findings takes what is found
   * @param findConversation no text can give way to a note without one
   */
  constructor(
    plan: PolicyPlan,
    context: TextContext,
    findings: LocatedFinding[],
    findConversation?: () => Conversation | undefined,
  ) {
    this.#plan = plan;
    this.#context = context;
    this.#findings = findings;
    this.#stopped = new BlockedTexts(findConversation);
  }

  get toRedact(): readonly TextToRedact<Part>[] {
    return [...new Map([...this.#toRedact, ...this.#stopped.toReplace]).values()];
  }

  /** Whether all that stops the request was refused to its caller before, so that a note takes its place; else it is noted. */
  replaceRefused(): boolean {
    if (!this.#stopped.replaceRefused()) return false;
    for (const [at, finding] of this.#findings.entries()) {
      if (enforcedAction(finding) === 'block') this.#findings[at] = { ...finding, replaced: true };
    }
    return true;
  }

  scanPart({ text, ...place }: NamedText<Part>): void {
    this.#notePart(place, text, this.#plan.scan(text, this.#context));
  }

  *scanPartCooperatively({ text, ...place }: NamedText<Part>): Generator<undefined, void> {
    this.#notePart(place, text, yield* this.#plan.scanCooperatively(text, this.#context));
    yield;
  }

  /** What stands in the part as it is has been found there. @throws {NotRewritable} */
  scanJoined(place: PartPlace<Part>, joined: JoinedText): void {
    this.#noteJoined(place, joined, this.#plan.scan(joined.text, this.#context));
  }

  *scanJoinedCooperatively(place: PartPlace<Part>, joined: JoinedText): Generator<undefined, void> {
    this.#noteJoined(place, joined, yield* this.#plan.scanCooperatively(joined.text, this.#context));
    yield;
  }

  /** @throws {NestedTooDeep} @throws {NotRewritable} */
  scanValue({ value, isText, source }: ScannedValue): void {
    let lacksDigits = false;
    visitStrings(value, (text, path, isKey, isNumber) => {
      if (isText?.(path, isKey) === false) return;
      this.#context.place = path;
      lacksDigits ||= isNumber && isRounded(text);
      this.#scanString(value, text, isKey, isNumber);
    });
    if (lacksDigits) this.#noteWritten(this.#plan.scan(this.#longDigits(source), this.#context));
    for (const boundary of findPartBoundaries(value)) {
      if (boundary !== undefined)
        this.#noteSeam(value, boundary, this.#plan.scan(boundary.text, this.#contextOf(boundary)));
    }
  }

  *scanValueCooperatively({ value, isText, source }: ScannedValue): Generator<undefined, void> {
    let lacksDigits = false;
    for (const place of stringsIn(value)) {
      if (place === undefined) {
        yield;
        continue;
      }
      if (isText?.(place.path, place.isKey) === false) continue;
      this.#context.place = place.path;
      lacksDigits ||= place.isNumber && isRounded(place.text);
      yield* this.#scanStringCooperatively(value, place);
    }
    if (lacksDigits) this.#noteWritten(yield* this.#plan.scanCooperatively(this.#longDigits(source), this.#context));
    for (const boundary of findPartBoundaries(value)) {
      if (boundary !== undefined) {
        this.#noteSeam(value, boundary, yield* this.#plan.scanCooperatively(boundary.text, this.#contextOf(boundary)));
      }
      yield;
    }
  }

  /** @param root the value in which it stands at the context's place */
  #scanString(root: unknown, text: string, isKey: boolean, isNumber: boolean): void {
    const key = isKey || isNumber ? undefined : this.#cleanKeyOf(root, text);
    if (cleanTextDigests.has(key)) return;
    const findings =
      isKey || isNumber
        ? this.#plan.scan(text, this.#context)
        : scanPlaced(this.#plan, { root, text, path: this.#context.place, isKey }, this.#context);
    if (findings.length > 0) this.#noteString(root, { text, path: this.#context.place, isKey, isNumber }, findings);
    else if (key !== undefined) cleanTextDigests.add(key);
  }

  *#scanStringCooperatively(root: unknown, { text, isKey, isNumber }: StringPlace): Generator<undefined, void> {
    if (isKey && text.length <= longestName) return this.#scanString(root, text, isKey, isNumber);
    const key = isKey || isNumber ? undefined : this.#cleanKeyOf(root, text);
    if (cleanTextDigests.has(key)) return;
    const findings =
      isKey || isNumber
        ? yield* this.#plan.scanCooperatively(text, this.#context)
        : yield* scanPlacedCooperatively(this.#plan, { root, text, path: this.#context.place, isKey }, this.#context);
    if (findings.length > 0) this.#noteString(root, { text, path: this.#context.place, isKey, isNumber }, findings);
    else if (key !== undefined) cleanTextDigests.add(key);
    yield;
  }

  /** Files that are declared as such are read in another way than the same characters as a text. */
  #cleanKeyOf(root: unknown, text: string): string | undefined {
    if (text.length < shortestRemembered || findDeclaredMedia(root, this.#context.place, text) !== undefined)
      return undefined;
    return cleanTextDigests.keyOf(this.#plan, text, this.#context);
  }

  #notePart({ part, location }: PartPlace<Part>, text: string, findings: readonly Finding[]): void {
    if (findings.length === 0) return;
    this.#report(findings, location);
    this.#stopped.takePart(findings);
    const hidden = findings.filter(isHidden);
    if (hidden.length > 0) this.#redact(part, part, text, hidden);
  }

  #noteJoined(place: PartPlace<Part>, { text, standsInSource }: JoinedText, findings: readonly Finding[]): void {
    const across = findings.filter(({ start, end }) => !standsInSource(start, end));
    refuseToHide(across, 'Something to be hidden stands in several values');
    this.#notePart(place, text, across);
  }

  #noteString(root: unknown, { text, path, isKey, isNumber }: StringPlace, found: readonly Finding[]): void {
    const place = { path: [...path], isKey, isNumber };
    const seen = this.#staysAsItIs(root, path) ? monitorOnly(found) : found;
    const findings = this.#stopped.take(root, [{ place, text }], seen);
    this.#report(findings, this.#context.pointer());
    const hidden = findings.filter(isHidden);
    if (hidden.length > 0) this.#redactAt(place, text, hidden);
  }

  /** Only what a model has said can be signed. */
  #staysAsItIs(root: unknown, path: JsonPath): boolean {
    return this.#context.origin === 'assistant' && isSigned(root, path);
  }

  /** The digits of long numbers as they were written, and of long rows of digits in texts. */
  #longDigits(source: ScannedValue['source']): string {
    this.#context.place = [];
    return (source?.().match(longDigits) ?? []).join('\n');
  }

  #noteWritten(findings: readonly Finding[]): void {
    refuseToHide(findings, 'A number to be hidden has more than sixteen digits');
    this.#stopped.takePart(findings);
    this.#report(findings, this.#context.pointer());
  }

  #contextOf({ pieces }: PartBoundary): TextContext {
    this.#context.place = pieces[0]?.path ?? [];
    return this.#context;
  }

  #noteSeam(root: unknown, boundary: PartBoundary, found: readonly Finding[]): void {
    const across = spanningFindings(boundary, found);
    if (across.length === 0) return;
    const isKept = boundary.pieces.some(({ path }) => this.#staysAsItIs(root, path));
    const pieces = boundary.pieces.map(({ path, whole }) => ({ place: { path, isKey: false }, text: whole }));
    const findings = this.#stopped.take(root, pieces, isKept ? monitorOnly(across) : across);
    this.#report(findings, this.#context.pointer());
    for (const finding of findings.filter(isHidden)) {
      for (const [{ path, whole }, part] of splitFinding(boundary, finding))
        this.#redactAt({ path, isKey: false }, whole, [part]);
    }
  }

  #report(findings: readonly Finding[], location: string): void {
    if (findings.length === 0) return;
    addFindings(this.#findings, findings, { direction: 'request', location, origin: this.#context.origin });
  }

  #redactAt(place: StringAt, text: string, findings: readonly Finding[]): void {
    this.#redact(nameOfPlace(place), place, text, findings);
  }

  #redact(name: string, place: StringAt | Part, text: string, findings: readonly Finding[]): void {
    const known = this.#toRedact.get(name)?.findings ?? [];
    this.#toRedact.set(name, { place, text, findings: [...known, ...findings] });
  }
}

const isHidden = (finding: Finding): boolean => enforcedAction(finding) === 'redact';

/** @throws {NotRewritable} when something is to be hidden among them */
function refuseToHide(findings: readonly Finding[], problem: string): void {
  if (findings.some(isHidden)) throw new NotRewritable(problem);
}
