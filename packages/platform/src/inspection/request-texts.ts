import type { LocatedFinding } from '../traffic/located-finding.ts';
import type { Conversation } from './conversation.ts';
import type { RequestScan } from './request-scan.ts';
import type { TextContext } from './text-context.ts';
import type { TextToRedact } from './text-to-redact.ts';

/**
 * How a data plane hands over the texts of one request and takes them back. It leads a `RequestScan` to them, in one go or
 * in steps, and puts other texts in the place of those in which something is to be hidden.
 */
export interface RequestTexts<Part extends string = never> {
  /** Takes what is found. */
  readonly findings: LocatedFinding[];
  /** Characters or bytes, about. Long requests are scanned in slices, so that others go on meanwhile. */
  readonly size: number;
  /** Of the strings in its JSON. */
  readonly context: TextContext;
  /**
   * Of a conversation, in which a text may give way to a note while the rest goes on. Absent where all is one message.
   * Asked when something is to be stopped.
   */
  findConversation?(): Conversation | undefined;
  /** Whether policies can read it as its target might. Asked where they enforce something. */
  isReadable(): boolean;
  /** @throws {NestedTooDeep} @throws {NotRewritable} */
  scan(scan: RequestScan<Part>): void;
  scanCooperatively(scan: RequestScan<Part>): Generator<undefined, void>;
  /** @throws {NotRewritable} @throws {DuplicateKey} */
  redact(texts: readonly TextToRedact<Part>[]): Generator<undefined, void>;
}
