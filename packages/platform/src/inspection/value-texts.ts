import { JsonChanges } from '@portcullis/core/json/splice-json';
import type { JsonPath } from '@portcullis/core/json/visit-strings';
import { enforcedAction } from '@portcullis/core/policy/verdict/decide';
import type { Finding } from '@portcullis/core/policy/policy';
import type { Placeholders } from '@portcullis/core/policy/redaction/placeholders';
import { rewriteText } from '@portcullis/core/policy/redaction/text-rewriter';
import { NotRewritable } from './not-rewritable.ts';
import { isJsonField } from './json-fields.ts';
import { monitorOnly } from './signed-parts.ts';
import { findReplacing, markReplaced, mayHoldNote, renderNote } from './blocked-texts.ts';
import type { TextContext } from './text-context.ts';

/** A number of a JSON value that gives way to a text. */
export interface HiddenNumber {
  readonly path: JsonPath;
  readonly text: string;
}

/** A string of a JSON value, or a long number as its digits. */
interface ReadText {
  readonly text: string;
  readonly isKey: boolean;
  readonly isNumber?: boolean;
}

/** What comes of the texts of one JSON value of an answer, one after the other. */
export class ValueTexts {
  readonly context: TextContext;
  readonly changes = new JsonChanges();
  /** Something that was found forbids the value. */
  blocks = false;
  /** Some text was hidden. */
  hides = false;
  /** Numbers that were hidden, and what stands in their place. */
  readonly numbers: HiddenNumber[] = [];
  readonly #placeholders: Placeholders | undefined;
  readonly #blocksFor: (findings: readonly Finding[]) => boolean;

  /**
   * @param placeholders undefined when texts are never rewritten
   * @param blocksFor notes findings and says whether they forbid the value
   */
  constructor(
    context: TextContext,
    placeholders: Placeholders | undefined,
    blocksFor: (findings: readonly Finding[]) => boolean,
  ) {
    this.context = context;
    this.#placeholders = placeholders;
    this.#blocksFor = blocksFor;
  }

  /**
   * Takes what was found in the text at the context's place.
   * @param isSigned whether the text must stay as it is; asked when it would not
   */
  take({ text, isKey, isNumber }: ReadText, found: readonly Finding[], isSigned: () => boolean): void {
    const { place } = this.context;
    const findings = found.some(mayHide) && isSigned() ? monitorOnly(found) : found;
    const replacing = findReplacing(findings);
    if (replacing !== undefined && mayHoldNote({ path: place, isKey, isNumber: isNumber === true }) && !isSigned()) {
      this.#blocksFor(markReplaced(findings));
      this.changes.set(place, isKey, renderNote(replacing, place));
      return;
    }
    if (findings.length > 0) this.blocks = this.#blocksFor(findings) || this.blocks;
    if (this.blocks || this.#placeholders === undefined) return;
    const hidden = findings.filter(isHidden);
    this.hides ||= hidden.length > 0;
    const options = { side: 'response', isJson: isJsonField(place) } as const;
    const rewritten = rewriteText(text, hidden, this.#placeholders, options);
    // What is signed keeps placeholders, too.
    if (rewritten === text || (hidden.length === 0 && isSigned())) return;
    if (isNumber === true) this.numbers.push({ path: [...place], text: rewritten });
    else this.changes.set(place, isKey, rewritten);
  }

  /**
   * Takes what was found across the ends of parts.
   * @throws {NotRewritable} when it is to be hidden in parts that need not stay as they are
   */
  takeBoundary(found: readonly Finding[], isSigned: () => boolean): void {
    const findings = found.some(mayHide) && isSigned() ? monitorOnly(found) : found;
    if (findings.length > 0) this.blocks = this.#blocksFor(findings) || this.blocks;
    if (!this.blocks && findings.some(isHidden)) {
      throw new NotRewritable('Something to be hidden stands in several parts');
    }
  }
}

const mayHide = ({ action }: Finding): boolean => action === 'redact';
const isHidden = (finding: Finding): boolean => enforcedAction(finding) === 'redact';
