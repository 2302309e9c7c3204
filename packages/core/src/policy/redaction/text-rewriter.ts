import { JsonLexer, jsonStartLength, looksLikeJson } from './json-lexer.ts';
import { addSpan, type MergedSpan, type Span } from './merge-spans.ts';
import type { Occurrence, PlaceholderFamily } from './placeholder-family.ts';
import type { Placeholders, Side } from './placeholders.ts';
import { redactJson } from './redact-json.ts';

export interface RewriteOptions {
  readonly side: Side;
  /** The text is JSON source; when absent its beginning tells. */
  readonly isJson?: boolean | undefined;
}

/** What goes out in the place of a piece. */
export interface TakenText {
  readonly text: string;
  /** Some of the piece was hidden, or began so earlier. */
  readonly hides: boolean;
}

/**
 * Rewrites one text that arrives in pieces: parts that must not be shown give way to placeholders, and
 * placeholders of this exchange to what its caller wrote. However the text is cut, what comes out is
 * what the whole text would have become. What is put back is never looked at again.
 */
export class TextRewriter {
  readonly #placeholders: Placeholders;
  readonly #side: Side;
  readonly #families: readonly PlaceholderFamily[];
  readonly #openers: ReadonlySet<string>;
  readonly #lexer = new JsonLexer();
  readonly #spans: MergedSpan[] = [];
  readonly #found: Occurrence[] = [];
  /** The text from `#base` on. */
  #text = '';
  #base = 0;
  /** The unit before it. */
  #last: string | undefined;
  #head = '';
  #isJson: boolean | undefined;
  /** The first place at which a placeholder may begin that has not been seen whole. */
  #sought = 0;
  /** Everything before it has been taken or replaced. */
  #done = 0;
  /** End of the last span that was hidden. */
  #hidden = 0;

  constructor(placeholders: Placeholders, { side, isJson }: RewriteOptions) {
    this.#placeholders = placeholders;
    this.#side = side;
    this.#isJson = isJson;
    this.#families = side === 'request' ? [] : placeholders.families;
    this.#openers = new Set(this.#families.map(({ prefix }) => prefix[0] as string));
  }

  /** Offset behind all text given so far. */
  get length(): number {
    return this.#base + this.#text.length;
  }

  push(text: string): void {
    this.#text += text;
    if (this.#head.length < jsonStartLength) this.#head += text.slice(0, jsonStartLength - this.#head.length);
  }

  /** To be told before `ready` is given an offset behind its start. */
  redact(span: Span): void {
    addSpan(this.#spans, span);
  }

  /**
   * Offset before which the outcome is certain, when no span that is yet to be told begins before `safe`.
   * @param ended the text is complete
   */
  ready(safe: number, ended: boolean): number {
    // In JSON source the sign behind a word says whether the word is whole.
    const seen = ended || !this.#knowsJson() ? this.length : this.length - 1;
    let ready = Math.min(safe, this.length);
    for (let index = this.#spans.length - 1; index >= 0; index -= 1) {
      const span = this.#spans[index] as MergedSpan;
      if (span.end <= Math.min(ready, seen)) break;
      ready = Math.min(ready, span.start);
    }
    if (this.#families.length > 0) {
      this.#seek(ended);
      if (!ended) ready = Math.min(ready, this.#sought);
      const last = this.#found.findLast(({ start }) => start < ready);
      if (last !== undefined && last.end > ready) ready = last.start;
    }
    return Math.max(ready, this.#base);
  }

  /** The rewritten text from the last offset taken up to `to`, which is not behind what `ready` told. */
  take(to: number): TakenText {
    const parts: string[] = [];
    const isJson = this.#knowsJson();
    let from = this.#base;
    // A span that began earlier goes on here.
    const wasHidden = from < this.#hidden;
    let hidden = false;
    const keep = (until: number): void => {
      const piece = this.#slice(from, until);
      if (isJson) this.#lexer.readAll(piece);
      if (until > this.#done) parts.push(this.#slice(Math.max(from, this.#done), until));
      from = until;
    };
    for (const edit of this.#takeEdits(to)) {
      keep(Math.max(from, edit.start));
      parts.push(edit.replace());
      this.#done = edit.end;
      if (edit.hides) {
        hidden = true;
        this.#hidden = edit.end;
      }
    }
    keep(to);
    if (to > this.#base) this.#last = this.#text[to - this.#base - 1];
    this.#text = this.#text.slice(to - this.#base);
    this.#base = to;
    return { text: parts.join(''), hides: wasHidden || hidden };
  }

  #takeEdits(to: number): readonly Edit[] {
    const spans = takeBefore(this.#spans, to);
    const isHidden = ({ start, end }: Occurrence): boolean =>
      start < this.#done || [...spans, ...this.#spans].some((span) => span.start < end && span.end > start);
    const found = takeBefore(this.#found, to).filter((occurrence) => !isHidden(occurrence));
    return [
      ...spans.map((span) => ({
        start: span.start,
        end: span.end,
        hides: true,
        replace: () => this.#redactSpan(span),
      })),
      ...found.map(({ start, end, original }) => ({
        start,
        end,
        hides: false,
        replace: () => this.#restore(original),
      })),
    ].sort((a, b) => a.start - b.start);
  }

  #redactSpan({ start, end, lead }: MergedSpan): string {
    const value = this.#slice(start, end);
    const replacementFor = (part: string): string => {
      const { text, restored } = this.#placeholders.replacementFor(lead, part, this.#side);
      return this.#side === 'response' ? (restored ?? text) : text;
    };
    if (!this.#knowsJson()) return replacementFor(value);
    // The lexer is asked to look, not to go: `take` leads it over the same units.
    const before = start === this.#base ? this.#last : this.#text[start - this.#base - 1];
    const part = { text: value, before, behind: this.#text[end - this.#base] };
    return redactJson(this.#lexer.copy(), part, replacementFor);
  }

  #restore(original: string): string {
    return this.#knowsJson() && this.#lexer.inString ? JSON.stringify(original).slice(1, -1) : original;
  }

  /** Finds placeholders up to the first that may go on behind the text. */
  #seek(ended: boolean): void {
    const isJson = this.#knowsJson();
    let at = this.#sought;
    for (; at < this.length; at += 1) {
      const unit = this.#text[at - this.#base] as string;
      if (!this.#openers.has(unit) && !(isJson && unit === '\\')) continue;
      const sightings = this.#families.map((family) => family.look(this.#text, at - this.#base, isJson, ended));
      if (sightings.includes('begun')) break;
      const [first] = sightings.filter((sighting) => typeof sighting === 'object').sort((a, b) => b.end - a.end);
      if (first === undefined) continue;
      const end = first.end + this.#base;
      this.#found.push({ ...first, start: at, end });
      at = end - 1;
    }
    this.#sought = at;
  }

  #knowsJson(): boolean {
    if (this.#isJson === undefined && this.#head.length >= jsonStartLength) this.#isJson = looksLikeJson(this.#head);
    return this.#isJson ?? looksLikeJson(this.#head);
  }

  #slice(from: number, to: number): string {
    return this.#text.slice(from - this.#base, to - this.#base);
  }
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly hides: boolean;
  readonly replace: () => string;
}

/** Rewrites a text that is there as a whole. */
export function rewriteText(
  text: string,
  spans: readonly Span[],
  placeholders: Placeholders,
  options: RewriteOptions,
): string {
  const rewriter = new TextRewriter(placeholders, options);
  rewriter.push(text);
  for (const span of spans) rewriter.redact(span);
  return rewriter.take(rewriter.ready(text.length, true)).text;
}

/** Takes those that start before `to` from the front of a list in order. */
function takeBefore<Item extends { readonly start: number }>(items: Item[], to: number): Item[] {
  let count = 0;
  while (count < items.length && (items[count] as Item).start < to) count += 1;
  return items.splice(0, count);
}
