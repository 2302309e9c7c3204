import type { RowReader } from './copy-row.ts';
import { recordColumns, type ColumnTypes } from './record-columns.ts';

/** The columns of a sum. */
export const usageSum = {
  day: 'timestamptz',
  proxy_id: 'integer',
  user_group_id: 'integer',
  api_key_id: 'integer',
  protocol: 'text',
  model: 'text',
  requests: 'bigint',
  input_tokens: 'bigint',
  output_tokens: 'bigint',
  total_tokens: 'bigint',
  cost_micro_usd: 'bigint',
} as const satisfies ColumnTypes;

/** Usage of a day that belongs to the same; an id of 0 stands for none. */
interface UsageSum {
  readonly day: number;
  readonly proxyId: number;
  readonly groupId: number;
  readonly keyId: number;
  readonly protocol: string;
  readonly model: string;
  requests: number;
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  costMicroUsd: number;
}

const dayMs = 86_400_000;
const names = Object.keys(recordColumns.usage);
const placeOf = (name: keyof typeof recordColumns.usage): number => names.indexOf(name);
const timestamp = placeOf('timestamp');
const proxy = placeOf('proxy_id');
const key = placeOf('api_key_id');
const group = placeOf('user_group_id');
const protocol = placeOf('protocol');
const model = placeOf('model');
const inputTokens = placeOf('input_tokens');
const outputTokens = placeOf('output_tokens');
const totalTokens = placeOf('total_tokens');
const costMicroUsd = placeOf('cost_micro_usd');

/** What the usage records of a batch add up to. */
export class UsageSums {
  readonly #sums: UsageSum[] = [];
  /** Those of the last day that was asked for, by the fields from the proxy to the model. */
  #ofDay = new Map<string, UsageSum>();
  #day = Number.NaN;

  /** Counts the row that was read last. */
  add(row: RowReader): void {
    const day = Math.floor(row.number(timestamp) / dayMs);
    if (day !== this.#day) {
      this.#day = day;
      this.#ofDay = new Map();
    }
    const name = row.fields(proxy, model);
    const sum = this.#ofDay.get(name) ?? this.#begin(row, name);
    sum.requests += 1;
    sum.inputTokens += row.number(inputTokens);
    sum.outputTokens += row.number(outputTokens);
    sum.totalTokens += row.number(totalTokens);
    sum.costMicroUsd += row.number(costMicroUsd);
  }

  /** The sums as a JSON array, undefined of none; the same may be told in several. */
  render(): string | undefined {
    if (this.#sums.length === 0) return undefined;
    return JSON.stringify(this.#sums.map(renderSum));
  }

  #begin(row: RowReader, name: string): UsageSum {
    const about = { proxyId: row.number(proxy), groupId: row.number(group), keyId: row.number(key) };
    const what = { protocol: row.text(protocol), model: row.text(model) };
    const zeros = { requests: 0, inputTokens: 0, outputTokens: 0, totalTokens: 0, costMicroUsd: 0 };
    const sum = { day: this.#day, ...about, ...what, ...zeros };
    this.#ofDay.set(name, sum);
    this.#sums.push(sum);
    return sum;
  }
}

const renderSum = (sum: UsageSum) => ({
  day: new Date(sum.day * dayMs),
  proxy_id: sum.proxyId,
  user_group_id: sum.groupId,
  api_key_id: sum.keyId,
  protocol: sum.protocol,
  model: sum.model,
  requests: sum.requests,
  input_tokens: sum.inputTokens,
  output_tokens: sum.outputTokens,
  total_tokens: sum.totalTokens,
  cost_micro_usd: sum.costMicroUsd,
});
