import type { Span } from './merge-spans.ts';
import { PlaceholderFamily } from './placeholder-family.ts';

/** Where the text stands in which a value was found. */
export type Side = 'request' | 'response';

/** What stands in the place of a value. */
export interface Replacement {
  readonly text: string;
  /** The value itself, when its caller wrote it and may see it again. */
  readonly restored: string | undefined;
}

/** Values told apart in one exchange; further ones of a kind share one placeholder, and none brings them back. */
const maxValues = 10_000;
/** Kinds of placeholders told apart; rules beyond share one kind. */
const maxFamilies = 64;

const usual = '<{TYPE}_{COUNT}>';

/**
 * The placeholders of one exchange: one number for each distinct value, in the order of appearance,
 * past every number that stands in the client's own texts. What the client merely wrote like a
 * placeholder therefore is none, and no placeholder outlives its exchange or is known to another.
 */
export class Placeholders {
  readonly #clientTexts: () => readonly string[];
  readonly #families = new Map<string, PlaceholderFamily>();
  readonly #made = new Map<string, { readonly text: string; readonly original: string | undefined }>();
  #texts: readonly string[] | undefined;
  #restorable = 0;

  /** @param clientTexts every text of the request, asked for when the first placeholder is made */
  constructor(clientTexts: () => readonly string[]) {
    this.#clientTexts = clientTexts;
  }

  /** There are originals to be put back. */
  get restores(): boolean {
    return this.#restorable > 0;
  }

  /** The families that have originals to be put back. */
  get families(): readonly PlaceholderFamily[] {
    return [...this.#families.values()].filter(({ originals }) => originals.size > 0);
  }

  replacementFor({ type, redact }: Pick<Span, 'type' | 'redact'>, value: string, side: Side): Replacement {
    const restore = redact?.restore === true;
    const format = fillType(redact?.placeholder ?? usual, type);
    if (!format.includes('{COUNT}') && !restore) return { text: format, restored: undefined };
    const family = this.#familyOf(format);
    const key = `${family.prefix}\n${family.suffix}\n${restore ? 'restore' : 'keep'}\n${value}`;
    const known = this.#made.get(key);
    if (known !== undefined) return { text: known.text, restored: known.original };
    if (this.#made.size >= maxValues) return { text: `${family.prefix}${family.suffix}`, restored: undefined };
    const original = restore && side === 'request' ? value : undefined;
    const text = family.make(original);
    if (original !== undefined) this.#restorable += 1;
    this.#made.set(key, { text, original });
    return { text, restored: original };
  }

  #familyOf(format: string): PlaceholderFamily {
    const wanted = splitAtCount(format);
    const name = `${wanted.prefix}\n${wanted.suffix}`;
    const known = this.#families.get(name);
    if (known !== undefined) return known;
    if (this.#families.size >= maxFamilies) return this.#familyOf(fillType(usual, 'REDACTED'));
    this.#texts ??= this.#clientTexts();
    const family = new PlaceholderFamily(wanted.prefix, wanted.suffix, this.#texts);
    this.#families.set(name, family);
    return family;
  }
}

const fillType = (format: string, type: string): string =>
  format.replaceAll('{TYPE}', type.toUpperCase().replaceAll(/\W+/g, '_').slice(0, 40) || 'REDACTED');

/** A replacement that must be told apart but has no number gets one before its closing signs. */
function splitAtCount(format: string): { readonly prefix: string; readonly suffix: string } {
  const numbered = format.includes('{COUNT}') ? format : format.replace(/(?<!\W)\W*$/, (end) => `_{COUNT}${end}`);
  const at = numbered.indexOf('{COUNT}');
  const prefix = numbered.slice(0, at);
  const suffix = numbered.slice(at + '{COUNT}'.length).replaceAll('{COUNT}', '');
  // Without a word before its number a placeholder would be any number; with a digit behind it, another number.
  if (!/[^\d\s]{2}/.test(prefix) || /^\d/.test(suffix)) return splitAtCount(fillType(usual, 'REDACTED'));
  return { prefix, suffix };
}
