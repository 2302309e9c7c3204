import type { ResponseStage } from '@portcullis/core/pipeline/stage';
import type { PolicyPlan } from '@portcullis/core/policy/policy';
import type { AnswerTexts } from './answer-texts.ts';
import type { InspectedUnit } from './inspected-unit.ts';
import { SlicedFilter } from './sliced-filter.ts';
import { StreamInspector } from './stream-inspector.ts';

/**
 * Runs policies over every text of an answer, hides what they want hidden and puts originals back.
 * @param findPlan the policies of an exchange; undefined where it has none
 */
export const createInspectResponse = <Exchange, Unit extends InspectedUnit>(
  findPlan: (exchange: Exchange) => PolicyPlan | undefined,
  openTexts: (exchange: Exchange) => AnswerTexts<Unit>,
): ResponseStage<Exchange, Unit> => ({
  name: 'inspect-response',
  open(exchange, wake) {
    const plan = findPlan(exchange);
    return plan === undefined ? undefined : new SlicedFilter(new StreamInspector(openTexts(exchange), plan), wake);
  },
});
