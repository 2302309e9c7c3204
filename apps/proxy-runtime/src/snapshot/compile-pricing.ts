import { settingsSections, type PricingSettings } from '@portcullis/contracts/settings';
import { flatRate, type ModelPrice, type Rate } from '@portcullis/core/pricing/model-price';
import { readPricingSettings } from '@portcullis/platform/settings/read-section';
import type { Pricing } from './snapshot.ts';
import type { SettingsRow } from './snapshot-sources.ts';

/** What is stored and is not valid any more counts as not set: prices must not stop traffic. */
export function compilePricing(rows: readonly SettingsRow[]): Pricing {
  const stored: unknown = rows.find(({ section }) => section === 'pricing')?.document;
  const { models, unknown_model } = readPricingSettings(stored) ?? settingsSections.pricing.defaults;
  return {
    overrides: new Map(Object.entries(models).map(([name, rates]) => [name, compileRates(rates)])),
    blocksUnknown: unknown_model === 'block',
  };
}

const compileRates = (rates: PricingSettings['models'][string]): ModelPrice => ({
  input: flatRate(rates.input),
  cachedInput: optionalRate(rates.cached_input),
  cacheWrite: optionalRate(rates.cache_write),
  longCacheWrite: undefined,
  output: flatRate(rates.output),
});

const optionalRate = (rate: number | undefined): Rate | undefined => (rate === undefined ? undefined : flatRate(rate));
