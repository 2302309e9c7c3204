import type { ResponseFilter, ResponseStage, StreamVerdict } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { AnswerExcerpt } from '../trace-content/answer-excerpt.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';

class AnswerNoter implements ResponseFilter<StreamUnit> {
  readonly #answerExcerpt: AnswerExcerpt;

  constructor(answerExcerpt: AnswerExcerpt) {
    this.#answerExcerpt = answerExcerpt;
  }

  push(unit: StreamUnit): StreamVerdict<StreamUnit> {
    this.#answerExcerpt.add(unit);
    return { kind: 'release', units: [unit] };
  }

  end(): StreamVerdict<StreamUnit> {
    return { kind: 'release', units: [] };
  }
}

/** Keeps the beginning of what leaves for the client, for the trace of the request. It is the last to see it, and holds nothing back. */
export const noteAnswer: ResponseStage<Exchange, StreamUnit> = {
  name: 'note-answer',
  open(exchange) {
    if (!exchange.snapshot.tracesContent) return undefined;
    exchange.answerExcerpt = new AnswerExcerpt(exchange.dialect);
    return new AnswerNoter(exchange.answerExcerpt);
  },
};
