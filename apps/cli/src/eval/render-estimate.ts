import type { EvaluationEstimate } from '@portcullis/contracts/evaluation';

const inEnglish = new Intl.NumberFormat('en');

/** What an evaluation would take, for a person. */
export function renderEstimate(estimate: EvaluationEstimate): string {
  const { cases, requests, input_tokens: input, output_tokens: output, cost_usd: cost } = estimate;
  const count = (number: number): string => inEnglish.format(number);
  return [
    `${count(cases)} cases in ${count(requests)} requests, about ${renderTime(estimate.duration_ms)}`,
    `about ${count(input)} tokens in, at most ${count(output)} out`,
    cost === null ? 'no price is known' : `at most ${cost.toFixed(cost < 1 ? 4 : 2)} USD`,
    '',
  ].join('\n');
}

function renderTime(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
