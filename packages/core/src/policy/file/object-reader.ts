import type { Problem } from '@portcullis/contracts/envelope';
import { suggestNames } from '../../text/near-names.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** JSON pointer of a member. */
export const pointer = (path: string, key: string | number): string => `${path}/${escapePointer(String(key))}`;

/** One member of the object that is being read, and where it stands. */
interface Field {
  readonly value: unknown;
  readonly path: string;
}

/**
 * Reads one JSON object of an unknown author: each field under any of its spellings, with every
 * mistake noted at its place instead of thrown. Fields that were not asked for are mistakes too.
 */
export class ObjectReader {
  readonly path: string;
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #problems: Problem[];
  readonly #known = new Set<string>();

  private constructor(value: Readonly<Record<string, unknown>>, path: string, problems: Problem[]) {
    this.#value = value;
    this.path = path;
    this.#problems = problems;
  }

  static open(value: unknown, path: string, problems: Problem[]): ObjectReader | undefined {
    if (isObject(value)) return new ObjectReader(value, path, problems);
    problems.push({ path, rule: 'must be an object' });
    return undefined;
  }

  /** The first of the spellings that is present. All of them count as known. */
  field(...spellings: readonly string[]): Field | undefined {
    for (const spelling of spellings) this.#known.add(spelling);
    const present = spellings.find((spelling) => this.#value[spelling] !== undefined && this.#value[spelling] !== null);
    return present === undefined ? undefined : { value: this.#value[present], path: pointer(this.path, present) };
  }

  report(path: string, rule: string): undefined {
    this.#problems.push({ path, rule });
    return undefined;
  }

  text(maxLength: number, ...spellings: readonly string[]): string | undefined {
    const field = this.field(...spellings);
    if (field === undefined) return undefined;
    const value = typeof field.value === 'number' ? String(field.value) : field.value;
    if (typeof value !== 'string') return this.report(field.path, 'must be a string');
    return value.length <= maxLength ? value : this.report(field.path, `must have at most ${maxLength} characters`);
  }

  boolean(...spellings: readonly string[]): boolean | undefined {
    const field = this.field(...spellings);
    if (field === undefined) return undefined;
    if (typeof field.value === 'boolean') return field.value;
    return this.report(field.path, 'must be true or false');
  }

  number(minimum: number, maximum: number, ...spellings: readonly string[]): number | undefined {
    const field = this.field(...spellings);
    if (field === undefined) return undefined;
    const { value } = field;
    if (typeof value === 'number' && value >= minimum && value <= maximum) return value;
    return this.report(field.path, `must be a number from ${minimum} to ${maximum}`);
  }

  /** One of the values, written in any case; `synonyms` maps further lower-case words onto them. */
  oneOf<Value extends string>(
    values: readonly Value[],
    synonyms: Readonly<Record<string, Value>>,
    ...spellings: readonly string[]
  ): Value | undefined {
    const field = this.field(...spellings);
    if (field === undefined) return undefined;
    const word = typeof field.value === 'string' ? field.value.toLowerCase() : undefined;
    const value = values.find((candidate) => candidate.toLowerCase() === word) ?? (word && synonyms[word]);
    const meant = word ? suggestNames(word, values) : '';
    return value || this.report(field.path, `must be one of ${values.join(', ')}${meant}`);
  }

  /** The items of a list with their places; an absent list is empty. */
  list(...spellings: readonly string[]): readonly Field[] {
    const field = this.field(...spellings);
    if (field === undefined) return [];
    if (Array.isArray(field.value)) {
      return field.value.map((value: unknown, index) => ({ value, path: pointer(field.path, index) }));
    }
    this.report(field.path, 'must be a list');
    return [];
  }

  /** To be called when every field has been read. `kind` names the object in the message. */
  reportUnknown(kind: string): void {
    for (const key of Object.keys(this.#value)) {
      if (this.#known.has(key)) continue;
      this.report(pointer(this.path, key), `is not a field of ${kind}${suggestNames(key, this.#known)}`);
    }
  }
}
