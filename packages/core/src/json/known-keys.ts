import { finish } from '../collections/finish-steps.ts';
import { foldKey } from './fold-key.ts';

/** Objects of a protocol have a few dozen keys; each one that is not known is folded. */
const maxUnknownKeys = 1_000;

/** A step looks at so many objects and members of lists. */
const nodesInStep = 1_024;

/** What is wrong with the keys of an object, for its sender. */
export type KeyProblem = string;

/**
 * The keys of an object that a protocol reads, and those of the objects below them. What stands under any other key is
 * data of the sender, in which `id` and `ID` may both be.
 */
export class KnownKeys {
  readonly #below = new Map<string, KnownKeys | undefined>();
  readonly #folded = new Map<string, string>();
  readonly #readsAll: boolean;

  /** @param readsAll whether unknown keys may not be confused with each other either */
  constructor(keys: readonly string[], { readsAll = true }: { readonly readsAll?: boolean } = {}) {
    this.#readsAll = readsAll;
    for (const key of keys) this.#add(key, undefined);
  }

  /** The objects under these keys, or in lists there, have known keys, too. */
  with(below: Readonly<Record<string, KnownKeys>>): this {
    for (const [key, known] of Object.entries(below)) this.#add(key, known);
    return this;
  }

  /**
   * Finds a key that readers could take for another: readers that match them in any case, as Go's standard library does,
   * would not read what was looked at here. Takes an object or a list of them; without recursion, since
   * the parser takes values that are nested deeper than the stack.
   */
  findConfusion(value: unknown): KeyProblem | undefined {
    return finish(this.findConfusionCooperatively(value));
  }

  /** The same in steps, for a value of a long body. */
  *findConfusionCooperatively(value: unknown): Generator<undefined, KeyProblem | undefined> {
    const waiting: [value: unknown, known: KnownKeys][] = [[value, this]];
    let looked = 0;
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [node, known] = next;
      if ((looked += 1) % nodesInStep === 0) yield;
      if (typeof node !== 'object' || node === null) continue;
      if (!Array.isArray(node)) {
        const problem = known.#look(node as Fields, waiting);
        if (problem !== undefined) return problem;
        continue;
      }
      for (const member of node as readonly unknown[]) {
        if ((looked += 1) % nodesInStep === 0) yield;
        if (typeof member !== 'object' || member === null || Array.isArray(member)) continue;
        const problem = known.#look(member as Fields, waiting);
        if (problem !== undefined) return problem;
      }
    }
    return undefined;
  }

  #add(key: string, below: KnownKeys | undefined): void {
    this.#below.set(key, below);
    this.#folded.set(foldKey(key), key);
  }

  #look(object: Fields, waiting: [value: unknown, known: KnownKeys][]): KeyProblem | undefined {
    let unknown: Set<string> | undefined;
    // What was parsed inherits nothing that would be visited here.
    for (const key in object) {
      const below = this.#below.get(key);
      if (below !== undefined) waiting.push([object[key], below]);
      else if (!this.#below.has(key)) {
        const folded = foldKey(key);
        const meant = this.#folded.get(folded);
        if (meant !== undefined) return `The key ${show(key)} must be written ${show(meant)}`;
        if (!this.#readsAll) continue;
        unknown ??= new Set();
        if (unknown.has(folded)) return `The key ${show(key)} stands beside one that differs from it in case only`;
        if (unknown.size >= maxUnknownKeys)
          return `An object of the protocol has more than ${maxUnknownKeys} unknown keys`;
        unknown.add(folded);
      }
    }
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

const show = (key: string): string => JSON.stringify(key.slice(0, 40));
