import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { findEvaluationOrThrow, type CountedEvaluation } from '../evaluations/evaluation-queries.ts';
import { renderStatus } from '../evaluations/render-evaluation.ts';

/** Tells listening clients how far an evaluation got; the status tells it too, so no client has to listen. Never rejects. */
export type AnnounceProgress = (evaluationId: number, options?: { readonly last?: boolean }) => Promise<void>;

/** Of one evaluation, progress is told so often at most; its end always. */
const everyMs = 500;

export function createAnnounceProgress({
  database,
  coordination,
}: Pick<Infrastructure, 'database' | 'coordination'>): AnnounceProgress {
  const told = new Map<number, number>();
  return async (id, { last = false } = {}) => {
    const nowMs = performance.now();
    if (!last && nowMs - (told.get(id) ?? Number.NEGATIVE_INFINITY) < everyMs) return;
    if (last) told.delete(id);
    else told.set(id, nowMs);
    try {
      await publishProgress(coordination, await findEvaluationOrThrow(database, id));
    } catch {
      // One that was deleted meanwhile, or a store that is away: the next progress is told.
    }
  };
}

export const publishProgress = (
  { bus }: Pick<Infrastructure['coordination'], 'bus'>,
  row: CountedEvaluation,
): Promise<void> => {
  const event: LiveEvent = { type: 'guardrails_evaluation_progress', payload: renderStatus(row) };
  return bus.publish(liveEventsTopic, event);
};
