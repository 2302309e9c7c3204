import type { Laboratory } from './laboratory.ts';

/** What an attacker has to begin with; `database`: the rows, and no key of the gateway. */
export type Attacker = 'stranger' | 'key holder' | 'viewer' | 'operator' | 'target' | 'database';

/** One thing that an attacker tries. */
export interface Attack {
  /** What is tried, unique among all attacks. */
  readonly name: string;
  readonly attacker: Attacker;
  /** What a gateway that holds does. */
  readonly expected: string;
  /** Takes seconds or measures how long others wait: `npm test` leaves it out. */
  readonly slow?: true;
  /** Tries it, its harmless twin too where only that tells a refusal from a gateway that refuses everything. */
  readonly run: (laboratory: Laboratory) => Promise<Outcome>;
}

export interface Outcome {
  readonly got: string;
  readonly isHeld: boolean;
}

export const held = (got: string): Outcome => ({ got, isHeld: true });
export const gotThrough = (got: string): Outcome => ({ got, isHeld: false });

/** `faults` are what got through; one of them is enough. */
export const judge = (faults: readonly string[], got: string): Outcome =>
  faults.length === 0 ? held(got) : gotThrough(faults.join('; '));
