import type { Problem } from '@portcullis/contracts/envelope';
import { objectOf, type JsonObject } from '../json/json-object.ts';
import { renderPointer } from '../json/visit-strings.ts';
import { a2aLimits } from './a2a-limits.ts';

/** What was read, or what is wrong with it, by place. */
export type Parsed<Value> =
  | { readonly value: Value; readonly problems?: never }
  | { readonly problems: readonly Problem[]; readonly value?: never };

/** A member of the object that is being read, and where it stands. */
export interface Member {
  readonly value: unknown;
  readonly path: string;
}

const isId = (text: string): boolean => /^[!-~]+$/.test(text);
/** They go into a header as a list. */
const isListedUri = (text: string): boolean => /^[!-+\--~]+$/.test(text);
const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?$/;
const idRule = 'must be letters, digits and signs of ASCII without blanks';

/** `supportedInterfaces` as `supported_interfaces`. */
export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const spellings = new Map<string, readonly string[]>();

function spellingsOf(name: string): readonly string[] {
  const known = spellings.get(name);
  if (known !== undefined) return known;
  const both = [...new Set([name, snakeCase(name)])];
  // Names come from the code, never from a body: the map stays small.
  spellings.set(name, both);
  return both;
}

const pointer = (path: string, step: string | number): string => path + renderPointer([step]);

/**
 * Reads an object of the protocol. Each member has one value, written in camel case or snake case: with both, readers
 * would differ in which they take, so that is a problem. Members without a reader are left out of what is read. As in
 * ProtoJSON, null is the same as absent.
 */
export class MemberReader {
  readonly path: string;
  readonly #object: JsonObject;
  readonly #problems: Problem[];

  private constructor(object: JsonObject, path: string, problems: Problem[]) {
    this.#object = object;
    this.path = path;
    this.#problems = problems;
  }

  static open({ value, path }: Member, problems: Problem[]): MemberReader | undefined {
    const object = objectOf(value);
    if (object !== undefined) return new MemberReader(object, path, problems);
    addProblem(problems, path, 'must be an object');
    return undefined;
  }

  /** Reads a whole value: what `read` makes of it when there is no problem in it. */
  static parse<Value>(value: unknown, read: (reader: MemberReader) => Value | undefined): Parsed<Value> {
    const problems: Problem[] = [];
    const reader = MemberReader.open({ value, path: '' }, problems);
    const found = reader && read(reader);
    if (found === undefined && problems.length === 0) problems.push({ path: '', rule: 'cannot be read' });
    return found === undefined || problems.length > 0 ? { problems } : { value: found };
  }

  get problems(): Problem[] {
    return this.#problems;
  }

  /** @param names in camel case; any one of them */
  find(...names: readonly string[]): Member | undefined {
    let found: string | undefined;
    for (const name of names) {
      for (const spelling of spellingsOf(name)) {
        if (!Object.hasOwn(this.#object, spelling) || (this.#object[spelling] ?? null) === null) continue;
        if (found === undefined) found = spelling;
        else this.report(spelling, `must not stand beside ${JSON.stringify(found)}`);
      }
    }
    return found === undefined ? undefined : { value: this.#object[found], path: pointer(this.path, found) };
  }

  report(name: string | undefined, rule: string): undefined {
    addProblem(this.#problems, name === undefined ? this.path : pointer(this.path, name), rule);
    return undefined;
  }

  /** Undefined also for the empty text: in ProtoJSON it is the same as none. */
  text(maxLength: number, ...names: readonly string[]): string | undefined {
    return this.anyText(maxLength, ...names) || undefined;
  }

  required(maxLength: number, ...names: readonly [string, ...string[]]): string {
    const before = this.#problems.length;
    const text = this.text(maxLength, ...names);
    if (text === undefined && this.#problems.length === before)
      this.report(names[0], 'must be a text that is not empty');
    return text ?? '';
  }

  /** One word: an id that can hold sentences would carry them past policies, which do not read ids. */
  id(...names: readonly string[]): string | undefined {
    const id = this.text(a2aLimits.idLength, ...names);
    if (id === undefined || isId(id)) return id;
    return this.report(names[0], idRule);
  }

  requiredId(...names: readonly [string, ...string[]]): string {
    const id = this.required(a2aLimits.idLength, ...names);
    if (id !== '' && !isId(id)) this.report(names[0], idRule);
    return id;
  }

  ids(maxCount: number, ...names: readonly string[]): string[] {
    const ids = this.texts(maxCount, a2aLimits.idLength, ...names);
    if (!ids.every(isId)) this.report(names[0], idRule);
    return ids;
  }

  /** URIs that stand in a header behind each other. */
  listedUris(maxCount: number, ...names: readonly string[]): string[] {
    const uris = this.texts(maxCount, a2aLimits.urlLength, ...names);
    if (!uris.every(isListedUri)) this.report(names[0], 'must be URIs of ASCII without blanks and commas');
    if (uris.join().length > a2aLimits.urlLength)
      this.report(names[0], `must not have more than ${a2aLimits.urlLength} characters together`);
    return uris;
  }

  /** ISO 8601. Without a zone, as some agents write it, it is UTC. */
  time(...names: readonly string[]): string | undefined {
    const time = this.text(a2aLimits.idLength, ...names);
    if (time === undefined || isTime.test(time)) return time;
    return this.report(names[0], 'must be a time of ISO 8601');
  }

  /** May be empty. */
  anyText(maxLength: number, ...names: readonly string[]): string | undefined {
    const member = this.find(...names);
    if (member === undefined) return undefined;
    if (typeof member.value !== 'string') return this.#refuse(member, 'must be a text');
    if (member.value.length > maxLength) return this.#refuse(member, `must not be longer than ${maxLength} characters`);
    return member.value;
  }

  flag(...names: readonly string[]): boolean | undefined {
    const member = this.find(...names);
    if (member === undefined || typeof member.value === 'boolean') return member?.value as boolean | undefined;
    return this.#refuse(member, 'must be true or false');
  }

  integer(minimum: number, maximum: number, ...names: readonly string[]): number | undefined {
    const member = this.find(...names);
    if (member === undefined) return undefined;
    const { value } = member;
    if (Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum) return value as number;
    return this.#refuse(member, `must be a whole number from ${minimum} to ${maximum}`);
  }

  /** Empty when absent. */
  list(maxCount: number, ...names: readonly string[]): readonly Member[] {
    const member = this.find(...names);
    if (member === undefined) return [];
    if (!Array.isArray(member.value)) return this.#refuse(member, 'must be a list') ?? [];
    if (member.value.length > maxCount)
      return this.#refuse(member, `must not have more than ${maxCount} members`) ?? [];
    return member.value.map((value: unknown, index) => ({ value, path: pointer(member.path, index) }));
  }

  texts(maxCount: number, maxLength: number, ...names: readonly string[]): string[] {
    return this.list(maxCount, ...names).flatMap((member) => {
      const { value } = member;
      if (typeof value === 'string' && value.length <= maxLength) return [value];
      return this.#refuse(member, `must be a text of at most ${maxLength} characters`) ?? [];
    });
  }

  /** What `read` makes of each object of a list; objects with problems are left out. */
  objects<Value>(
    maxCount: number,
    read: (reader: MemberReader) => Value | undefined,
    ...names: readonly string[]
  ): Value[] {
    return this.list(maxCount, ...names).flatMap((member) => {
      const reader = MemberReader.open(member, this.#problems);
      const value = reader && read(reader);
      return value === undefined ? [] : [value];
    });
  }

  object(...names: readonly string[]): MemberReader | undefined {
    const member = this.find(...names);
    return member && MemberReader.open(member, this.#problems);
  }

  /** The members of an object whose names are data: nothing of them is respelled. */
  entries(maxCount: number, ...names: readonly string[]): readonly (readonly [string, Member])[] {
    const member = this.find(...names);
    const map = member && MemberReader.open(member, this.#problems);
    if (map === undefined) return [];
    const all = Object.entries(map.#object);
    if (all.length > maxCount) return map.report(undefined, `must not have more than ${maxCount} members`) ?? [];
    return all.map(([name, value]) => [name, { value, path: pointer(map.path, name) }] as const);
  }

  /** An object of the sender's own, as it is. */
  verbatim(...names: readonly string[]): JsonObject | undefined {
    const member = this.find(...names);
    if (member === undefined) return undefined;
    const object = objectOf(member.value);
    if (object === undefined) return this.#refuse(member, 'must be an object');
    return this.checkDepth(member) ? object : undefined;
  }

  checkDepth(member: Member): boolean {
    if (!isDeeper(member.value, a2aLimits.valueDepth)) return true;
    this.#refuse(member, `must not be nested deeper than ${a2aLimits.valueDepth} levels`);
    return false;
  }

  #refuse({ path }: Member, rule: string): undefined {
    addProblem(this.#problems, path, rule);
    return undefined;
  }
}

function addProblem(problems: Problem[], path: string, rule: string): void {
  if (problems.length < a2aLimits.problems) problems.push({ path, rule });
}

/** Without recursion: the parser takes values that are nested deeper than the stack. */
function isDeeper(value: unknown, maxDepth: number): boolean {
  const waiting: [value: unknown, depth: number][] = [[value, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, depth] = next;
    if (typeof node !== 'object' || node === null) continue;
    if (depth >= maxDepth) return true;
    for (const child of Object.values(node)) if (typeof child === 'object') waiting.push([child, depth + 1]);
  }
  return false;
}
