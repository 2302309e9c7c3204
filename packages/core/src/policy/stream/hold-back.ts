import type { CompiledPattern } from '../plan/compiled-pattern.ts';
import type { CompiledPlan } from '../plan/compiled-plan.ts';
import { anchorVariants } from '../pattern/anchor-fold.ts';
import { contains, union, type CharSet } from '../pattern/char-set.ts';

/**
 * How far back from the end of a stream a match can begin whose literal is still incomplete. Two
 * kinds of patterns differ:
 * - where the match begins with its literal, the automaton's state tells exactly how much of a
 *   literal has arrived, and nothing is held when it is none;
 * - where something may stand before the literal, what has arrived could be that something, for as
 *   far back as it consists of characters that may stand there.
 */
export interface HoldBack {
  /** By state of the automaton: characters of a literal in progress. */
  readonly ofState: Int32Array;
  readonly leads: readonly Lead[];
}

/** What may stand before a literal and in its beginning, and how much of it at most. */
export interface Lead {
  readonly reach: number;
  /** By unit below 128. */
  readonly ascii: Uint8Array;
  readonly set: CharSet;
}

/** More leads than this are joined into one: each is looked at with every piece of a stream. */
const maxLeads = 8;

/** The hold-back for those patterns of a plan that `concerns` picks. */
export function compileHoldBack(
  { automaton, patternsOfText, patterns }: CompiledPlan,
  concerns: (pattern: CompiledPattern) => boolean,
): HoldBack {
  const ofState = new Int32Array(automaton.fallback.length);
  for (const [index, path] of automaton.paths.entries()) {
    if (!(patternsOfText[index] ?? []).some((pattern) => concerns(pattern) && beginsWithLiteral(pattern))) continue;
    // The last state is left out: there the literal is complete and a candidate holds the text.
    for (let depth = 1; depth < path.length; depth += 1) raise(ofState, path[depth - 1] ?? 0, depth);
  }
  for (const state of automaton.order) {
    raise(ofState, state, ofState[automaton.fallback[state] ?? 0] ?? 0);
  }
  const inner = patterns.filter(
    (pattern) => concerns(pattern) && pattern.maxReach !== Infinity && !beginsWithLiteral(pattern),
  );
  return { ofState, leads: joinLeads(inner.map(leadOf)) };
}

const beginsWithLiteral = ({ pattern }: CompiledPattern): boolean => pattern.literals?.before.max === 0;

function raise(ofState: Int32Array, state: number, depth: number): void {
  ofState[state] = Math.max(ofState[state] ?? 0, depth);
}

function leadOf({ pattern, maxReach }: CompiledPattern): Omit<Lead, 'ascii'> {
  const units = (pattern.literals?.texts ?? []).flatMap((text) =>
    Array.from({ length: text.length }, (_, at) => anchorVariants(text.charCodeAt(at))).flat(),
  );
  return {
    reach: maxReach,
    set: union(
      pattern.literals?.lead ?? [],
      units.map((unit) => [unit, unit]),
    ),
  };
}

function joinLeads(leads: readonly Omit<Lead, 'ascii'>[]): readonly Lead[] {
  const bySet = new Map<string, Omit<Lead, 'ascii'>>();
  for (const lead of leads) {
    const key = bySet.size < maxLeads ? JSON.stringify(lead.set) : 'joined';
    const same = bySet.get(key);
    const reach = Math.max(lead.reach, same?.reach ?? 0);
    bySet.set(key, { reach, set: same === undefined ? lead.set : union(lead.set, same.set) });
  }
  return [...bySet.values()].map(({ reach, set }) => {
    const ascii = Uint8Array.from({ length: 128 }, (_, unit) => (contains(set, unit) ? 1 : 0));
    return { reach, set, ascii };
  });
}

/** How many characters at the end of a stream can be the lead of a match, for each lead, at most its reach. */
export class TrailingLeads {
  readonly #leads: readonly Lead[];
  readonly #lengths: Int32Array;

  constructor({ leads }: HoldBack) {
    this.#leads = leads;
    this.#lengths = new Int32Array(leads.length);
  }

  /** Takes the next piece of the stream; answers the longest. */
  push(text: string): number {
    let longest = 0;
    for (let index = 0; index < this.#leads.length; index += 1) {
      const lead = this.#leads[index] as Lead;
      const length = trailing(text, lead);
      const before = length === text.length ? (this.#lengths[index] as number) : 0;
      const held = Math.min(lead.reach, before + length);
      this.#lengths[index] = held;
      longest = Math.max(longest, held);
    }
    return longest;
  }
}

function trailing(text: string, { ascii, set }: Lead): number {
  let length = 0;
  while (length < text.length) {
    const unit = text.charCodeAt(text.length - 1 - length);
    if (unit < 128 ? ascii[unit] === 0 : !contains(set, unit)) break;
    length += 1;
  }
  return length;
}
