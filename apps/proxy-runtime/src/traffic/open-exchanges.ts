import type { ServerResponse } from 'node:http';
import type { Denial } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';
import type { StandingStreams } from '../mcp/standing-streams.ts';
import type { ResponseWriter } from './response-writer.ts';
import type { TargetAnswer } from './target-answer.ts';

/** An exchange that is under way. */
export interface OpenExchange {
  readonly exchange: Exchange;
  readonly response: ServerResponse;
  readonly writer: ResponseWriter;
  /** Those of the port that it came to. */
  readonly standing: StandingStreams;
  /** Once it was forwarded. */
  answer: TargetAnswer | undefined;
  /** Why it is not forwarded any more, whatever its stages say. */
  brokenOff: Denial | undefined;
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
    open.exchange.place = place;
  }

  settled(exchange: Exchange): void {
    const { place } = exchange;
    if (place === undefined) return;
    exchange.place = undefined;
    this.#places[place] = undefined;
    this.#free.push(place);
  }

  /** @param standing of the port that closes */
  breakOff(standing: StandingStreams, denial: Denial): void {
    for (const open of this.#places) {
      if (open?.standing !== standing) continue;
      open.brokenOff = denial;
      open.answer?.breakOff(denial);
    }
  }
}
