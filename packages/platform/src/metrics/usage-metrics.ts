import type { UsageRecord } from '@portcullis/contracts/records';
import type { Registry } from 'prom-client';
import { renderUsd } from '@portcullis/core/budget/usd';
import { addByLabels, countByLabels } from './count-by-labels.ts';

export interface UsageMetrics {
  /** What one exchange with a model came to. */
  countUsage(usage: UsageRecord): void;
}

export function createUsageMetrics(registry: Registry): UsageMetrics {
  const addTokens = addByLabels(registry, {
    name: 'gateway_llm_tokens_total',
    help: 'Tokens of LLM requests: input that models read, output that they wrote',
    labelNames: ['proxy_id', 'model', 'direction'],
  });
  const addCost = addByLabels(registry, {
    name: 'gateway_llm_cost_usd_total',
    help: 'Cost of LLM requests, in USD',
    labelNames: ['proxy_id', 'model'],
  });
  const countUnpriced = countByLabels(registry, {
    name: 'gateway_llm_unpriced_requests_total',
    help: 'LLM requests to models without a known price, which budgets do not count',
    labelNames: ['proxy_id', 'model'],
  });
  const countEstimated = countByLabels(registry, {
    name: 'gateway_llm_estimated_requests_total',
    help: 'LLM requests whose tokens are estimated because the provider reported none',
    labelNames: ['proxy_id', 'model'],
  });

  return {
    countUsage(usage) {
      const { model } = usage;
      const proxy = String(usage.proxy_id);
      addTokens(usage.input_tokens, proxy, model, 'input');
      addTokens(usage.output_tokens, proxy, model, 'output');
      addCost(renderUsd(usage.cost_micro_usd), proxy, model);
      if (!usage.priced) countUnpriced(proxy, model);
      if (usage.estimated) countEstimated(proxy, model);
    },
  };
}
