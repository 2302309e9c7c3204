import type { Denial } from '@portcullis/core/pipeline/stage';
import type { StandingStreams } from '../mcp-streams/standing-streams.ts';

/** An exchange that is under way. */
export interface OpenExchange {
  /** Among those under way; undefined before and after. */
  place: number | undefined;
  /** Those of the port that it came to. */
  readonly standing: StandingStreams;
  /** Ends it, with a word to its client. */
  breakOff(denial: Denial): void;
}

/**
 * The exchanges that are not settled, so that each is told when its port closes before its answer is complete. In places
 * that are used again: a map makes a new table every few dozen exchanges, and the old tables, long dead, would keep what
 * they once held in memory until the next full collection.
 */
export class OpenExchanges {
  readonly #places: (OpenExchange | undefined)[] = [];
  readonly #free: number[] = [];

  add(open: OpenExchange): void {
    const place = this.#free.pop() ?? this.#places.length;
    this.#places[place] = open;
    open.place = place;
  }

  settled(open: OpenExchange): void {
    const { place } = open;
    if (place === undefined) return;
    open.place = undefined;
    this.#places[place] = undefined;
    this.#free.push(place);
  }

  /** @param standing of the port that closes */
  breakOff(standing: StandingStreams, denial: Denial): void {
    for (const open of this.#places) if (open?.standing === standing) open.breakOff(denial);
  }
}
