import { property } from '@portcullis/core/json/json-value';
import type { Dialect } from '../dialects/shared/dialect.ts';
import { readSource } from '../framing/rewrite-unit.ts';
import { readJsonData } from '../framing/parse-data.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';
import { finishOf, readTexts } from './read-texts.ts';
import { isFile, maxParts, seenBeyond, shownCharacters } from './excerpt-limits.ts';

/** Longer units are not read again for a trace. */
const [longestUnit, longestEnd] = [1_048_576, 4_096];
/** Ids, kinds and the like say nothing. */
const isName = (text: string): boolean => text.length <= 64 && !/\s/.test(text);

/** Where dialects have what was answered; beside it stand ids, figures, and what was asked for. */
const answerFields = ['choices', 'content', 'output', 'candidates', 'error'];

/** Of an answer in none of these forms, all of it. */
function pickAnswer(value: unknown): unknown {
  const found = answerFields.filter((name) => (property(value, name) ?? undefined) !== undefined);
  return found.length === 0
    ? value
    : [{ stop_reason: property(value, 'stop_reason') }, ...found.map((name) => property(value, name))];
}

/**
 * The beginning of an answer as it leaves for the client, a little further than a trace shows it. Units carry their texts as
 * they came, so what was hidden in them is read from their bytes.
 */
export class AnswerExcerpt {
  readonly #dialect: Dialect;
  readonly #channels = new Map<string, string[]>();
  #left = shownCharacters + seenBeyond;
  #finish: string | undefined;
  #cut = false;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  get parts(): readonly string[] {
    return [...this.#channels.values()].map((pieces) => pieces.join(''));
  }

  /** In the provider's word. */
  get finish(): string | undefined {
    return this.#finish;
  }

  get cut(): boolean {
    return this.#cut;
  }

  add(unit: StreamUnit): void {
    const { content, bytes } = unit;
    if (content.kind === 'texts' && content.texts.length === 0) return;
    // Beyond the bound only why the answer ended is new, and that is short.
    if (bytes.length > (this.#left > 0 ? longestUnit : longestEnd)) {
      this.#cut = true;
      return;
    }
    if (unit.form === 'text' && content.kind === 'texts' && content.texts.some(({ media }) => media !== undefined)) {
      this.#cut = true;
      return;
    }
    if (unit.form === 'text') return this.#addText('text', bytes.toString('utf8'));
    const { value } = readJsonData(readSource(unit));
    if (unit.form === 'json') return this.#addWhole(this.#dialect.readable?.(value) ?? value);
    const { texts, terminal } = this.#dialect.readEvent(value);
    if (texts === 'complete') {
      // The last one tells the whole answer once more.
      if (terminal && this.#channels.size === 0) this.#addWhole(property(value, 'response') ?? value);
      return;
    }
    for (const { channel, text, path, alone, media } of texts) {
      const finish = finishOf(text, path);
      if (finish !== undefined) this.#finish = finish;
      else if (alone === true && isName(text)) continue;
      else if (media !== undefined || isFile(text)) this.#cut = true;
      else this.#addText(channel, text);
    }
  }

  #addWhole(value: unknown): void {
    const { parts, finish, cut } = readTexts(pickAnswer(value), this.#left);
    for (const [index, part] of parts.entries()) this.#addText(`whole${index}`, part);
    this.#finish = finish ?? this.#finish;
    this.#cut ||= cut;
  }

  #addText(channel: string, text: string): void {
    if (text === '') return;
    const known = this.#channels.get(channel);
    if (this.#left <= 0 || (known === undefined && this.#channels.size === maxParts)) {
      this.#cut = true;
      return;
    }
    const kept = text.slice(0, this.#left);
    this.#cut ||= kept.length < text.length;
    this.#left -= kept.length;
    if (known === undefined) this.#channels.set(channel, [kept]);
    else known.push(kept);
  }
}
