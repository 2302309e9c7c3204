import type { ResponseFilter, ResponseStage, StreamVerdict } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { NotedAnswer } from '../trace-content/noted-answer.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';

class AnswerNoter implements ResponseFilter<StreamUnit> {
  readonly #noted: NotedAnswer;

  constructor(noted: NotedAnswer) {
    this.#noted = noted;
  }

  push(unit: StreamUnit): StreamVerdict<StreamUnit> {
    this.#noted.add(unit);
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
    exchange.noted = new NotedAnswer(exchange.dialect);
    return new AnswerNoter(exchange.noted);
  },
};
