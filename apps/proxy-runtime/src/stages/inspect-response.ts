import type { AnswerTexts, UnitChanges } from '@portcullis/platform/inspection/answer-texts';
import { createInspectResponse } from '@portcullis/platform/inspection/inspect-response';
import type { TextContext } from '@portcullis/platform/inspection/text-context';
import type { TextSource } from '@portcullis/platform/inspection/text-source';
import type { Exchange } from '../exchange/exchange.ts';
import { answerContext, pieceContext } from '../inspection/exchange-facts.ts';
import { refuseUnit, refusesUnits } from '../client/refuse-unit.ts';
import { hideNumbers, rewriteUnit } from '../framing/rewrite-unit.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';

/** The texts of an answer on a proxy port, as its reader takes them out of the bytes, and back into them. */
class ExchangeAnswer implements AnswerTexts<StreamUnit> {
  readonly addTime: AnswerTexts<StreamUnit>['addTime'];
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    if (exchange.proxy.explains) this.addTime = (ms) => (exchange.responseScanMs += ms);
  }

  get findings() {
    return this.#exchange.findings;
  }

  get placeholders() {
    return this.#exchange.placeholders;
  }

  get passesUnread(): boolean {
    return this.#exchange.proxy.passesUnread;
  }

  sizeOf({ bytes }: StreamUnit): number {
    return bytes.length;
  }

  valueContext(value: unknown): TextContext {
    return answerContext(this.#exchange, value);
  }

  pieceContext(source?: TextSource): TextContext {
    return pieceContext(this.#exchange, source);
  }

  rewrite(unit: StreamUnit, { changes, hides, numbers }: UnitChanges): StreamUnit {
    return hideNumbers(changes.size === 0 ? unit : rewriteUnit(unit, changes, hides), numbers);
  }

  /** A message of MCP goes without the others of its stream. */
  refuseUnit(unit: StreamUnit): readonly StreamUnit[] | undefined {
    if (unit.form !== 'event' || !refusesUnits(this.#exchange)) return undefined;
    const denial = { reason: 'policy_violation_response' } as const;
    return refuseUnit(this.#exchange, unit, { denial, stage: 'inspect-response' });
  }
}

export const inspectResponse = createInspectResponse<Exchange, StreamUnit>(
  ({ proxy }) => proxy.policies,
  (exchange) => new ExchangeAnswer(exchange),
);
