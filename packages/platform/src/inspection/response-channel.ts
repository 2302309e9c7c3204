import type { TextOrigin } from '@portcullis/contracts/policy-file';
import { enforcedAction } from '@portcullis/core/policy/verdict/decide';
import type { Finding, StreamScan, StreamStep } from '@portcullis/core/policy/policy';
import type { Placeholders } from '@portcullis/core/policy/redaction/placeholders';
import { TextRewriter, type RewriteOptions, type TakenText } from '@portcullis/core/policy/redaction/text-rewriter';
import { monitorOnly } from './signed-parts.ts';

/** One text of a stream on its way through: scanned, and where need be rewritten. Offsets are UTF-16 units. */
export class ResponseChannel {
  /** Where its text comes from. */
  readonly origin: TextOrigin;
  readonly #scan: StreamScan;
  readonly #rewriter: TextRewriter | undefined;
  #length = 0;
  #ready = 0;

  /** @param placeholders undefined when the text is never rewritten */
  constructor(scan: StreamScan, placeholders: Placeholders | undefined, origin: TextOrigin, options: RewriteOptions) {
    this.origin = origin;
    this.#scan = scan;
    this.#rewriter = placeholders && new TextRewriter(placeholders, options);
  }

  /** All text given so far. */
  get length(): number {
    return this.#length;
  }

  /** The outcome of everything before it is certain. It never decreases. */
  get ready(): number {
    return this.#ready;
  }

  push(text: string): readonly Finding[] {
    this.#keep(text);
    return this.#settle(this.#scan.push(text), false);
  }

  /** The same in steps. Nothing else is to be called before the last of them. */
  *pushCooperatively(text: string): Generator<undefined, readonly Finding[]> {
    this.#keep(text);
    return this.#settle(yield* this.#scan.pushCooperatively(text), false);
  }

  /** The text is complete. To be called once, last. */
  end(): readonly Finding[] {
    return this.#settle(this.#scan.end(), true);
  }

  /** What goes out in the place of the text from the last offset taken up to `offset`. */
  take(offset: number): TakenText | undefined {
    return this.#rewriter?.take(offset);
  }

  #keep(text: string): void {
    this.#length += text.length;
    this.#rewriter?.push(text);
  }

  #settle({ safeOffset, findings }: StreamStep, ended: boolean): readonly Finding[] {
    for (const finding of findings) if (enforcedAction(finding) === 'redact') this.#rewriter?.redact(finding);
    this.#ready = Math.max(this.#ready, this.#rewriter?.ready(safeOffset, ended) ?? safeOffset);
    return this.#rewriter === undefined ? monitorOnly(findings) : findings;
  }
}
