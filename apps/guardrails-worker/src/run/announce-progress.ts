import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { findEvaluationOrThrow, type CountedEvaluation } from '../evaluations/evaluation-queries.ts';
import { renderStatus } from '../evaluations/render-evaluation.ts';

/** Sends listening clients the progress of an evaluation; its status has it too, so no client has to listen. Never rejects. */
export type AnnounceProgress = (evaluationId: number, options?: { readonly last?: boolean }) => Promise<void>;

/** Between two messages about one evaluation; its end is always sent. */
const minIntervalMs = 500;

export function createAnnounceProgress({
  database,
  coordination,
}: Pick<Infrastructure, 'database' | 'coordination'>): AnnounceProgress {
  const lastSentMs = new Map<number, number>();
  return async (id, { last = false } = {}) => {
    const nowMs = performance.now();
    if (!last && nowMs - (lastSentMs.get(id) ?? Number.NEGATIVE_INFINITY) < minIntervalMs) return;
    if (last) lastSentMs.delete(id);
    else lastSentMs.set(id, nowMs);
    try {
      await publishProgress(coordination, await findEvaluationOrThrow(database, id));
    } catch {
      // One that was deleted meanwhile, or a store that is away: the next progress is sent.
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
