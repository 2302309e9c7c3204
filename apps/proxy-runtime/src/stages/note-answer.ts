import type { ResponseStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { AnswerExcerpt } from '../trace-content/answer-excerpt.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';
import { createUnitFilter, release } from '../framing/unit-filter.ts';

/** Keeps the beginning of what leaves for the client, for the trace of the request. It is the last to see it, and holds nothing back. */
export const noteAnswer: ResponseStage<Exchange, StreamUnit> = {
  name: 'note-answer',
  open(exchange) {
    if (!exchange.snapshot.tracesContent) return undefined;
    const excerpt = new AnswerExcerpt(exchange.dialect);
    exchange.answerExcerpt = excerpt;
    return createUnitFilter((unit) => {
      excerpt.add(unit);
      return release(unit);
    });
  },
};
