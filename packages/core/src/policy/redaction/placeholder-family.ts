const maxDigits = 7;

/** Where a placeholder stands in a text. */
export interface Occurrence {
  readonly start: number;
  readonly end: number;
  readonly original: string;
}

/** What a text has at one place: a placeholder, the beginning of one that may go on, or neither. */
export type PlaceholderMatch = Occurrence | 'begun' | undefined;

const digit = /[0-9]/;

/** Placeholders that differ in their number only. */
export class PlaceholderFamily {
  readonly prefix: string;
  readonly suffix: string;
  /** What goes back in the place of each number. */
  readonly originals = new Map<string, string>();
  /** Numbers that the client itself wrote. */
  readonly #taken: ReadonlySet<number>;
  #last = 0;

  constructor(prefix: string, suffix: string, clientTexts: readonly string[]) {
    this.prefix = prefix;
    this.suffix = suffix;
    this.#taken = findNumbers(prefix, clientTexts);
  }

  /** A placeholder with the next free number. */
  make(original: string | undefined): string {
    do this.#last += 1;
    while (this.#taken.has(this.#last));
    if (original !== undefined) this.originals.set(String(this.#last), original);
    return `${this.prefix}${this.#last}${this.suffix}`;
  }

  /**
   * Looks for a placeholder that begins at `at`. In JSON source its signs may stand escaped.
   * @param ended nothing follows the text
   */
  look(text: string, at: number, inJson: boolean, ended: boolean): PlaceholderMatch {
    const beyond = ended ? undefined : 'begun';
    let place = readLiteral(text, at, this.prefix, inJson);
    if (place === undefined) return undefined;
    if (place === 'open') return beyond;
    const from = place;
    while (place < text.length && place - from <= maxDigits && digit.test(text[place] as string)) place += 1;
    if (place === text.length && !ended) return place - from <= maxDigits ? 'begun' : undefined;
    const original = this.originals.get(text.slice(from, place));
    if (original === undefined) return undefined;
    const end = readLiteral(text, place, this.suffix, inJson);
    if (end === 'open') return beyond;
    return end === undefined ? undefined : { start: at, end, original };
  }
}

/** Offset behind `literal` at `at`; `open` when the text ends within it. */
function readLiteral(text: string, at: number, literal: string, inJson: boolean): number | 'open' | undefined {
  let place = at;
  for (let index = 0; index < literal.length; index += 1) {
    if (place >= text.length) return 'open';
    if (text[place] === literal[index] && !(inJson && text[place] === '\\')) place += 1;
    else if (inJson && text[place] === '\\') {
      const escape = escapeOf(literal.charCodeAt(index), text[place + 1]);
      const found = text.slice(place, place + escape.length).toLowerCase();
      if (found !== escape)
        return escape.startsWith(found) && place + found.length === text.length ? 'open' : undefined;
      place += escape.length;
    } else return undefined;
  }
  return place;
}

/** How a sign may stand in JSON source, when it does not stand for itself. */
const escapeOf = (unit: number, next: string | undefined): string =>
  next === 'u' || next === undefined
    ? `\\u${unit.toString(16).padStart(4, '0')}`
    : JSON.stringify(String.fromCharCode(unit)).slice(1, -1).replace(/^\/$/, '\\/');

function findNumbers(prefix: string, texts: readonly string[]): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const text of texts) {
    for (let at = text.indexOf(prefix); at !== -1; at = text.indexOf(prefix, at + 1)) {
      const digits = /^\d{1,7}/.exec(text.slice(at + prefix.length, at + prefix.length + maxDigits));
      if (digits !== null) numbers.add(Number(digits[0]));
    }
  }
  return numbers;
}
