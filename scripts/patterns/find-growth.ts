import type { Syntax } from '../../packages/core/src/policy/pattern/syntax.ts';
import { textEnd } from './alphabet.ts';
import { accepted, buildAutomaton, holds, TooLarge, type Automaton, type Place, type Step } from './automaton.ts';

/** What a pattern does that takes longer than in proportion to its text. */
export interface Growth {
  readonly kind: 'from every place' | 'in several ways' | 'doubled' | 'unknown';
  /** Said of the pattern. */
  readonly says: string;
}

const growthOf = (kind: Exclude<Growth['kind'], 'unknown'>, pump: string): Growth => ({
  kind,
  says: `${does[kind]}: try ${JSON.stringify(pump)} repeated`,
});

const does = {
  'from every place': 'reads a long part again from every place where it may begin, and fails behind it',
  'in several ways': 'divides a long part between two repetitions in every way',
  doubled: 'has two ways through each turn of a repetition, which doubles its steps with every turn',
} as const;

/** Repetitions that end after fewer steps for each character of a text are not worth a word. */
const fewSteps = 64;
/** What doubles with each turn is too much after as many. */
const fewDoublings = 16;

/** Steps that the search for a text may take. */
const maxStates = 3_000_000;
/** Sets of places that are followed to tell whether a text may fail. */
const maxSets = 2_000;

/**
 * Looks for a text for which a backtracking engine takes more than a number of steps for each character, as an engine
 * without any wits would. It goes wrong where one word leads a pattern from a place back to it and also on to another one
 * that the word leads back to, and where what follows may fail: each repetition of the word is then divided in every way.
 * @param searched tried from every place of a text, and not at one alone
 */
export function findGrowth(syntax: Syntax, searched: boolean): Growth | undefined {
  try {
    const search = new Search(buildAutomaton(syntax));
    return search.findDoubled() ?? search.findDivided() ?? (searched ? search.findFromEveryPlace() : undefined);
  } catch (error) {
    if (error instanceof TooLarge) return { kind: 'unknown', says: `cannot be gone through: ${error.message}` };
    throw error;
  }
}

/** Places of several runs over the same word. */
interface State {
  readonly runs: readonly number[];
  /** The symbol that was read last, as conditions that look back tell it apart. */
  readonly before: number;
  readonly read: number;
  /** Two of the runs have taken different ways. */
  readonly parted: boolean;
  /** All places where an engine may be that begins where the first run does inside the pattern. */
  readonly attempt: readonly number[];
  readonly from: State | undefined;
}

/** The run that has not entered the pattern yet. */
const outside = -2;

class Search {
  readonly #automaton: Automaton;
  readonly #loops: readonly number[];
  /** By place: those that can be reached from it, and those that it can be reached from. */
  readonly #onward: (place: number) => ReadonlySet<number>;
  readonly #backward: (place: number) => ReadonlySet<number>;
  readonly #unsure: (place: number, symbol: number) => boolean;
  #states = 0;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#onward = reachedBy(automaton.places.map(targetsOf));
    this.#backward = reachedBy(sourcesOf(automaton.places));
    this.#unsure = findUnsure(automaton);
    this.#loops = [...automaton.places.keys()].filter(
      (place) => this.#turnsOf(place) > fewDoublings && this.#onward(place).has(place),
    );
  }

  /** One word leads from a place to it again in two ways: each repetition doubles the steps. */
  findDoubled(): Growth | undefined {
    for (const place of this.#loops) {
      const back = this.#backTo(place);
      const pump = this.#findWord(
        place,
        [place, place],
        ([first, second], parted) => parted && first === place && second === place,
        [back, back],
        Infinity,
      );
      if (pump !== undefined) return growthOf('doubled', pump);
    }
    return undefined;
  }

  findDivided(): Growth | undefined {
    const loops = this.#loops.filter((place) => this.#turnsOf(place) > fewSteps);
    for (const first of loops) {
      for (const second of loops) {
        if (first === second || !this.#onward(first).has(second)) continue;
        const back = this.#backTo(second);
        const pump = this.#findWord(
          second,
          [first, first, second],
          (runs) => runs[0] === first && runs[1] === second && runs[2] === second,
          [this.#backTo(first), back, back],
          Math.min(this.#turnsOf(first), this.#turnsOf(second)) / fewSteps,
        );
        if (pump !== undefined) return growthOf('in several ways', pump);
      }
    }
    return undefined;
  }

  findFromEveryPlace(): Growth | undefined {
    for (const place of this.#loops) {
      const turns = this.#turnsOf(place);
      if (turns <= fewSteps) continue;
      const back = this.#backTo(place);
      const pump = this.#findWord(
        place,
        [outside, place],
        (runs) => runs[0] === place && runs[1] === place,
        [back, back],
        turns / fewSteps,
      );
      if (pump !== undefined) return growthOf('from every place', pump);
    }
    return undefined;
  }

  #turnsOf(place: number): number {
    return this.#automaton.places[place]?.turns ?? 0;
  }

  /** Places from which one comes back to this one. */
  #backTo(place: number): ReadonlySet<number> {
    return new Set(this.#backward(place)).add(outside);
  }

  /**
   * The shortest word that leads all runs from their start to the end.
   * @param last the place that the last run ends in: the word's last symbol is one that it reads, behind which the rest may fail
   * @param within by run: where it may be
   */
  #findWord(
    last: number,
    start: readonly number[],
    isEnd: (runs: readonly number[], parted: boolean) => boolean,
    within: readonly ReadonlySet<number>[],
    longest: number,
  ): string | undefined {
    const { places, lookedBackAt } = this.#automaton;
    const inAll = [...(places[last]?.symbols ?? [])].filter((symbol) =>
      start.every((place) => place === outside || places[place]?.symbols.has(symbol) === true),
    );
    for (const symbol of new Set(inAll.map((symbol) => lookedBackAt[symbol] ?? symbol))) {
      if (!this.#unsure(last, symbol)) continue;
      const seen = new Set<string>();
      const inside = start.filter((place) => place !== outside).slice(0, 1);
      let states: readonly State[] = [
        { runs: start, before: symbol, read: symbol, parted: false, attempt: inside, from: undefined },
      ];
      for (let length = 0; states.length > 0 && length + 1 <= longest; length += 1) {
        const next: State[] = [];
        for (const state of states) {
          for (const later of this.#advance(state, within)) {
            if (later.before === symbol && isEnd(later.runs, later.parted) && this.#mayFail(later))
              return this.#wordOf(later);
            const key = `${later.runs.join(' ')} ${later.before} ${later.parted} ${later.attempt.join(' ')}`;
            if (seen.has(key)) continue;
            seen.add(key);
            if ((this.#states += 1) > maxStates) throw new TooLarge('its parts go together in too many ways');
            next.push(later);
          }
        }
        states = next;
      }
    }
    return undefined;
  }

  *#advance(from: State, within: readonly ReadonlySet<number>[]): Generator<State> {
    const { alphabet, lookedBackAt } = this.#automaton;
    for (let symbol = 0; symbol < alphabet.examples.length; symbol += 1) {
      if (from.attempt.some((place) => this.#mayEnd(place, from.before, symbol))) continue;
      const choices = from.runs.map((run, index) =>
        this.#choices(run, from.before, symbol, within[index] ?? new Set()),
      );
      if (choices.some((list) => list.length === 0)) continue;
      let combined: { readonly runs: readonly number[]; readonly twice: boolean }[] = [{ runs: [], twice: false }];
      for (const list of choices) {
        combined = combined.flatMap(({ runs, twice }) =>
          list.map(({ to, ways }) => ({ runs: [...runs, to], twice: twice || ways > 1 })),
        );
      }
      const attempt = this.#advanceAll(from.attempt, from.before, symbol);
      for (const { runs, twice } of combined) {
        const parted = from.parted || twice || runs.some((run) => run !== runs[0]);
        yield { runs, read: symbol, before: lookedBackAt[symbol] ?? symbol, parted, attempt, from };
      }
    }
  }

  #advanceAll(from: readonly number[], before: number, symbol: number): readonly number[] {
    const { alphabet, places } = this.#automaton;
    const next = new Set<number>();
    for (const place of from) {
      for (const step of places[place]?.steps ?? []) {
        const reads = step.to !== accepted && places[step.to]?.symbols.has(symbol) === true;
        if (reads && holds(step, before, symbol, alphabet)) next.add(step.to);
      }
    }
    return [...next].sort((a, b) => a - b);
  }

  /** What could end here has a match, whatever comes of going on. */
  #mayEnd(place: number, before: number, behind: number): boolean {
    const steps = this.#automaton.places[place]?.steps ?? [];
    return steps.some((step) => step.to === accepted && holds(step, before, behind, this.#automaton.alphabet, true));
  }

  /** Whether a text may go on so that there is no match. */
  #mayFail({ attempt, before }: State): boolean {
    const seen = new Set<string>();
    const open: { readonly places: readonly number[]; readonly before: number }[] = [{ places: attempt, before }];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const { places, before } = at;
      const ends = (behind: number): boolean => places.some((place) => this.#mayEnd(place, before, behind));
      if (places.length === 0 || !ends(textEnd) || seen.size > maxSets) return true;
      for (let symbol = 0; symbol < this.#automaton.alphabet.examples.length; symbol += 1) {
        if (ends(symbol)) continue;
        const next = this.#advanceAll(places, before, symbol);
        const back = this.#automaton.lookedBackAt[symbol] ?? symbol;
        const key = `${back} ${next.join(' ')}`;
        if (!seen.has(key)) open.push({ places: next, before: back });
        seen.add(key);
      }
    }
    return false;
  }

  #choices(
    run: number,
    before: number,
    symbol: number,
    within: ReadonlySet<number>,
  ): readonly Pick<Step, 'to' | 'ways'>[] {
    const { alphabet, places, entry } = this.#automaton;
    const steps = run === outside ? entry : (places[run]?.steps ?? []);
    const open = steps.filter(
      (step) =>
        step.to !== accepted &&
        within.has(step.to) &&
        places[step.to]?.symbols.has(symbol) === true &&
        holds(step, before, symbol, alphabet),
    );
    return run === outside ? [{ to: outside, ways: 1 }, ...open] : open;
  }

  #wordOf(end: State): string {
    let word = '';
    for (let state: State | undefined = end; state?.from !== undefined; state = state.from) {
      word = (this.#automaton.alphabet.examples[state.read] ?? '') + word;
    }
    return word;
  }
}

const targetsOf = ({ steps }: Place): readonly number[] => steps.flatMap(({ to }) => (to === accepted ? [] : [to]));

function sourcesOf(places: readonly Place[]): readonly (readonly number[])[] {
  const sources: number[][] = places.map(() => []);
  for (const [from, place] of places.entries()) for (const to of targetsOf(place)) sources[to]?.push(from);
  return sources;
}

/** What can be reached over one edge or more, worked out when it is asked for. */
function reachedBy(edges: readonly (readonly number[])[]): (from: number) => ReadonlySet<number> {
  const known = new Map<number, ReadonlySet<number>>();
  return (from) => {
    const before = known.get(from);
    if (before !== undefined) return before;
    const found = new Set(edges[from]);
    // A set goes on with what is added while it is walked through.
    for (const place of found) for (const next of edges[place] ?? []) found.add(next);
    known.set(from, found);
    return found;
  };
}

/** Tells of a place that has read a symbol whether what follows may fail. Whatever comes, a match ends only where it must not. */
function findUnsure({ places, alphabet, lookedBackAt }: Automaton): (place: number, symbol: number) => boolean {
  const count = alphabet.examples.length;
  const unsure = new Set<number>();
  const isUnsure = (place: number, symbol: number): boolean =>
    unsure.has(place * count + (lookedBackAt[symbol] ?? symbol));
  const isSure = ({ steps }: Place, symbol: number): boolean => {
    for (let next = -1; next < count; next += 1) {
      const behind = next === -1 ? textEnd : next;
      const goesOn = steps.some(
        (step) =>
          (step.to === accepted ||
            (next !== -1 && places[step.to]?.symbols.has(next) === true && !isUnsure(step.to, next))) &&
          holds(step, symbol, behind, alphabet, true),
      );
      if (!goesOn) return false;
    }
    return true;
  };
  const groups = places.map(({ symbols }) => new Set(Array.from(symbols, (symbol) => lookedBackAt[symbol] ?? symbol)));
  let changed = true;
  while (changed) {
    changed = false;
    for (const [index, place] of places.entries()) {
      for (const symbol of groups[index] ?? []) {
        if (isUnsure(index, symbol) || isSure(place, symbol)) continue;
        unsure.add(index * count + symbol);
        changed = true;
      }
    }
  }
  return isUnsure;
}
