import { Histogram, type Registry } from 'prom-client';
import { countByLabels } from './count-by-labels.ts';

export interface GuardrailMetrics {
  /** One question to a guardrail provider. */
  countGuardrailCheck(check: {
    readonly provider: string;
    readonly direction: string;
    readonly verdict: string;
    readonly action: string;
    readonly cached: boolean;
    readonly latencyMs: number;
  }): void;
  /** A case of an evaluation that was run. @param outcome one of few words */
  countEvaluatedCase(outcome: string): void;
}

/** Providers told apart by their latency; all beyond them count as `other`. */
const maxProviders = 200;

export function createGuardrailMetrics(registry: Registry): GuardrailMetrics {
  const count = countByLabels(registry, {
    name: 'gateway_guardrail_checks_total',
    help: 'Checks by guardrail providers, by verdict and by the action that followed',
    labelNames: ['provider', 'direction', 'verdict', 'action'],
  });
  const countCached = countByLabels(registry, {
    name: 'gateway_guardrail_checks_cached_total',
    help: 'Checks by guardrail providers that were answered from the cache',
    labelNames: ['provider'],
  });
  const countCase = countByLabels(registry, {
    name: 'gateway_guardrail_evaluation_cases_total',
    help: 'Test cases that evaluations ran, by what they came to',
    labelNames: ['outcome'],
  });
  const durations = new Histogram({
    registers: [registry],
    name: 'gateway_guardrail_check_duration_seconds',
    help: 'Duration of a check until the guardrail provider answered or timed out',
    labelNames: ['provider'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  });
  const known = new Set<string>();

  return {
    countGuardrailCheck({ provider, direction, verdict, action, cached, latencyMs }) {
      count(provider, direction, verdict, action);
      if (cached) return countCached(provider);
      if (known.size < maxProviders) known.add(provider);
      durations.labels(known.has(provider) ? provider : 'other').observe(latencyMs / 1_000);
    },
    countEvaluatedCase: (outcome) => countCase(outcome),
  };
}
