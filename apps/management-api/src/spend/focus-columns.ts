import { budgetMonth } from '@portcullis/core/budget/budget-month';
import { renderUsd } from '@portcullis/core/budget/usd';

/** What is exported as one row: the requests of a UTC day that have proxy, team, key, dialect and model in common. */
export interface UsageOfDay {
  readonly day: string;
  readonly proxy_id: number;
  readonly user_group_id: number;
  readonly api_key_id: number;
  readonly protocol: string;
  readonly model: string;
  readonly requests: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly cost_micro_usd: number;
  readonly proxy_name: string | null;
  readonly target: string | null;
  readonly tags: readonly string[] | null;
  readonly team_name: string | null;
  readonly key_name: string | null;
}

const dayMs = 86_400_000;

const costOf = (row: UsageOfDay): number => renderUsd(row.cost_micro_usd);
const startOf = (row: UsageOfDay): Date => new Date(`${row.day}T00:00:00Z`);
const timeOf = (date: Date): string => date.toISOString().replace('.000Z', 'Z');

/** Who is paid is not recorded; where requests are sent is. */
const providerOf = ({ target }: UsageOfDay): string =>
  (target !== null && URL.canParse(target) && new URL(target).hostname) || 'Unknown';

const idOf = (kind: string, id: number): string | null => (id === 0 ? null : `${kind}/${id}`);

const tagsOf = ({ tags }: UsageOfDay): string | null =>
  tags === null || tags.length === 0 ? null : JSON.stringify(Object.fromEntries(tags.map((tag) => [tag, true])));

/**
 * Columns of FOCUS 1.2 by name: all that it demands, and of the others those that are known. Costs are what the price table of
 * the gateway makes of the tokens, so there is one of them and no list price beside it. Names of our own begin with x_.
 */
export const focusColumns: Readonly<Record<string, (row: UsageOfDay) => string | number | null>> = {
  BilledCost: costOf,
  BillingAccountId: (row) => `proxy/${row.proxy_id}`,
  BillingAccountName: (row) => row.proxy_name,
  BillingCurrency: () => 'USD',
  BillingPeriodEnd: (row) => timeOf(budgetMonth(startOf(row)).end),
  BillingPeriodStart: (row) => timeOf(budgetMonth(startOf(row)).start),
  ChargeCategory: () => 'Usage',
  ChargeClass: () => null,
  ChargeDescription: (row) => `Requests to ${row.model}: ${row.requests}`,
  ChargeFrequency: () => 'Usage-Based',
  ChargePeriodEnd: (row) => timeOf(new Date(startOf(row).getTime() + dayMs)),
  ChargePeriodStart: (row) => timeOf(startOf(row)),
  ConsumedQuantity: (row) => row.total_tokens,
  ConsumedUnit: () => 'Tokens',
  ContractedCost: costOf,
  EffectiveCost: costOf,
  InvoiceIssuerName: providerOf,
  ListCost: costOf,
  PricingQuantity: (row) => row.total_tokens,
  PricingUnit: () => 'Tokens',
  ProviderName: providerOf,
  PublisherName: providerOf,
  ResourceId: (row) => idOf('api-key', row.api_key_id),
  ResourceName: (row) => row.key_name,
  ResourceType: (row) => (row.api_key_id === 0 ? null : 'API key'),
  ServiceCategory: () => 'AI and Machine Learning',
  ServiceName: (row) => row.protocol,
  SkuId: (row) => row.model,
  SubAccountId: (row) => idOf('user-group', row.user_group_id),
  SubAccountName: (row) => row.team_name,
  Tags: tagsOf,
  x_InputTokens: (row) => row.input_tokens,
  x_OutputTokens: (row) => row.output_tokens,
  x_RequestCount: (row) => row.requests,
};
