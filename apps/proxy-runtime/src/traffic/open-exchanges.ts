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

/** The exchanges that are not settled, so that each is told when its port closes before its answer is complete. */
export class OpenExchanges {
  readonly #open = new Map<Exchange, OpenExchange>();

  add(open: OpenExchange): void {
    this.#open.set(open.exchange, open);
  }

  settled(exchange: Exchange): void {
    this.#open.delete(exchange);
  }

  /** @param standing of the port that closes */
  breakOff(standing: StandingStreams, denial: Denial): void {
    for (const open of this.#open.values()) {
      if (open.standing !== standing) continue;
      open.brokenOff = denial;
      open.answer?.breakOff(denial);
    }
  }
}
