import type { LoadResult } from './load-order.ts';
import type { Machine } from './machine.ts';

/** How much is measured. Every count and time is a bound. */
export interface Settings {
  readonly rounds: number;
  /** Length of each of a round's three phases. */
  readonly phaseMs: number;
  readonly warmUpMs: number;
  readonly manyConnections: number;
  readonly streamConnections: number;
  readonly chunks: number;
  readonly chunkIntervalMs: number;
  /** The memory phase ends with whichever comes first. */
  readonly soakRequests: number;
  readonly soakMs: number;
  /** After this no further round or memory phase begins. */
  readonly maxMs: number;
}

export interface Phase {
  readonly load: LoadResult;
  /** Used by the contestant's processes until they were quiet again; 0 for direct. */
  readonly cpuMicros: number;
  readonly mainThreadMicros: number;
  readonly threadMicros: Readonly<Record<string, number>>;
}

export interface Round {
  readonly many: Phase;
  readonly one: Phase;
  readonly streams: Phase;
}

export interface Memory {
  readonly startedBytes: number;
  readonly beforeBytes: number;
  readonly afterBytes: number;
  /** Between before and after. */
  readonly requests: number;
}

export interface Measured {
  readonly status: 'measured';
  readonly name: string;
  readonly description: string;
  readonly facts: readonly string[];
  readonly rounds: readonly Round[];
  readonly memory: Memory | undefined;
}

/** Absent: this machine cannot have it. Failed: it gave wrong answers or none. */
export interface Missing {
  readonly status: 'absent' | 'failed';
  readonly name: string;
  readonly description: string;
  readonly reason: string;
}

export interface Results {
  readonly machine: Machine;
  readonly settings: Settings;
  readonly contestants: readonly (Measured | Missing)[];
}
