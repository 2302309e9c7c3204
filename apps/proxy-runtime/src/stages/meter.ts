import { randomUUIDv7 } from 'node:crypto';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';
import { createUsage, type Usage } from '../usage/usage.ts';

/** Rough length of a token in the languages of the models; used only when the provider told nothing. */
const charactersPerToken = 4;

const estimate = (exchange: Exchange): Usage =>
  createUsage({
    model: undefined,
    input: Math.ceil(exchange.body.length / charactersPerToken),
    output: Math.ceil(exchange.streamedCharacters / charactersPerToken),
  });

/** Records the tokens of an exchange that reached a model, also when the client hung up half way. */
export const meter: SettleStage<Exchange> = {
  name: 'meter',
  on: ['llm'],
  run(exchange) {
    const told = exchange.usage;
    if (told === undefined && exchange.streamedCharacters === 0) return;
    const usage = told ?? estimate(exchange);
    exchange.records.push({
      kind: 'usage',
      event_id: randomUUIDv7(),
      timestamp: exchange.timestamp,
      request_id: exchange.id,
      proxy_id: exchange.proxy.id,
      api_key_id: exchange.key?.id ?? null,
      user_group_id: exchange.group?.id ?? null,
      protocol: exchange.protocol.name,
      model: usage.model ?? exchange.model ?? 'unknown',
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      total_tokens: usage.totalTokens,
      cost_micro_usd: 0,
      estimated: told === undefined,
    });
  },
};
