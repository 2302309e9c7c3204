import type { CallOutcome, Observation } from './observation.ts';

/** Calls that are remembered of one principal. */
const remembered = 64;
/** Different names that a principal is known to use. */
const maxKnownNames = 64;

/** What is kept of a call. */
export interface PastCall {
  readonly atMs: number;
  readonly method: string;
  /** `method name` as a number. */
  readonly what: number;
  readonly name: string | undefined;
  readonly outcome: CallOutcome;
  readonly presented: number | undefined;
  readonly randomTokens: number;
}

/** The last calls of one principal, in a fixed amount of memory. */
export class CallHistory {
  readonly #ring: { -readonly [Field in keyof PastCall]: PastCall[Field] }[] = [];
  #next = 0;
  /** When each name was first called, successfully. */
  readonly #knownNames = new Map<number, number>();
  /** Served calls with a name, ever. */
  namedCalls = 0;
  lastAtMs = 0;
  /** Remembered calls that were not served: without any, most rules have nothing to look at. */
  refusals = 0;
  readonly pace = new CallRate();
  /** When each rule last told of this principal. */
  readonly toldAtMs = new Map<string, number>();

  /** Whether the principal uses this name for the first time, with a habit to compare with. */
  isNewName(what: number): boolean {
    return !this.#knownNames.has(what) && this.#knownNames.size < maxKnownNames;
  }

  get knownNames(): number {
    return this.#knownNames.size;
  }

  add(observation: Observation, what: number): void {
    const { atMs, name, outcome } = observation;
    if ((this.#ring[this.#next]?.outcome ?? 'served') !== 'served') this.refusals -= 1;
    if (outcome !== 'served') this.refusals += 1;
    this.#remember(observation, what);
    this.#next = (this.#next + 1) % remembered;
    this.lastAtMs = atMs;
    this.pace.count(atMs);
    if (outcome !== 'served' || name === undefined) return;
    this.namedCalls += 1;
    if (this.isNewName(what)) this.#knownNames.set(what, atMs);
  }

  /** In the place of the oldest: what outlives its request has to be moved by the collector. */
  #remember({ atMs, method, name, outcome, presented, randomTokens }: Observation, what: number): void {
    const place = this.#ring[this.#next];
    if (place === undefined) {
      this.#ring[this.#next] = { atMs, method, what, name, outcome, presented, randomTokens };
      return;
    }
    place.atMs = atMs;
    if (place.method !== method) place.method = method;
    if (place.name !== name) place.name = name;
    place.what = what;
    place.outcome = outcome;
    place.presented = presented;
    place.randomTokens = randomTokens;
  }

  /** The remembered calls since then, oldest first; valid until the next one is added. */
  since(atMs: number): readonly PastCall[] {
    const inOrder = [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)];
    return inOrder.filter((call) => call.atMs >= atMs);
  }
}

const slotMs = 10_000;
/** Slots whose pace is remembered before one is compared with them: two minutes of calling. */
const learningSlots = 12;
const weightOfNewSlot = 0.1;

/** How many calls a principal makes in ten seconds, and how many it usually makes. */
export class CallRate {
  #slot = 0;
  #slots = 0;
  #mean = 0;
  #deviation = 0;
  current = 0;

  count(atMs: number): void {
    const slot = Math.floor(atMs / slotMs);
    if (slot !== this.#slot) {
      if (this.#slot !== 0) this.#learn(this.current);
      this.#slot = slot;
      this.current = 0;
    }
    this.current += 1;
  }

  /** What the current slot is compared with; undefined while there is no habit yet. */
  get usual(): { readonly mean: number; readonly deviation: number } | undefined {
    return this.#slots < learningSlots ? undefined : { mean: this.#mean, deviation: this.#deviation };
  }

  #learn(count: number): void {
    const weight = Math.max(weightOfNewSlot, 1 / (this.#slots + 1));
    this.#deviation += weight * (Math.abs(count - this.#mean) - this.#deviation);
    this.#mean += weight * (count - this.#mean);
    this.#slots += 1;
  }
}
