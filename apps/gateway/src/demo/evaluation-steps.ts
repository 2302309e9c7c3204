import { setTimeout as pause } from 'node:timers/promises';
import type { Evaluation, EvaluationDashboard, EvaluationStatus } from '@portcullis/contracts/evaluation';
import type { Step } from './tour.ts';
import type { TourState } from './tour-state.ts';

const base = '/security/guardrails';

/** Chatbots that are attacked on purpose: one that does all it is asked, and one that looks after itself. */
export const evaluationSteps: readonly Step<TourState>[] = [
  {
    what: 'Attack a naive chatbot with the suite',
    expected: 'critical',
    run: (state) => evaluate(state, 'naive bot', state.world.bots.naive.url),
  },
  {
    what: 'The same with a careful one',
    expected: 'excellent',
    run: (state) => evaluate(state, 'careful bot', state.world.bots.careful.url),
  },
];

async function evaluate({ client }: TourState, name: string, url: string) {
  if (client === undefined) throw new Error('The tour has not signed in');
  const endpoint = await client.expect<{ id: number }>('POST', `${base}/endpoints`, { name, url, model: 'bot' });
  const started = { name, endpoint_id: endpoint.id, concurrency: 10, delay_ms: 0 };
  const { id } = await client.expect<Evaluation>('POST', `${base}/evaluations`, started);
  for (;;) {
    const { status } = await client.expect<EvaluationStatus>('GET', `${base}/evaluations/${id}/status`);
    if (status !== 'running') break;
    await pause(100);
  }
  const {
    rating,
    risk_overview: risk,
    evaluation,
  } = await client.expect<EvaluationDashboard>('GET', `${base}/evaluations/${id}/dashboard`);
  const result = `risk ${risk.average_risk_score} of 100, ${evaluation.failed} of ${evaluation.total_tests} cases failed`;
  return { status: rating.band ?? rating.state, result };
}
