import { expect, test } from '@jest/globals';
import { costOf } from '@portcullis/core/pricing/model-price';
import { vendorAnswers, type VendorAnswer } from '../../../test/vendor-answers.ts';
import { findDialect } from '../find-dialect.ts';
import { loadLibraryPrices } from '../../usage/library-prices.ts';
import { mergeUsage, type Usage } from '../../usage/usage.ts';

const findPrice = await loadLibraryPrices();

/** What is read of the answer, whole or as its events. */
function readUsage({ path, request, whole, stream }: VendorAnswer, form: 'whole' | 'streamed'): Usage | undefined {
  const byPath = findDialect('llm', path);
  const dialect = byPath.forBody?.(request, path) ?? byPath;
  if (form === 'whole') return dialect.readUsage(whole);
  let usage: Usage | undefined;
  for (const event of stream) {
    const told = dialect.readEvent(event).usage;
    if (told !== undefined) usage = mergeUsage(usage, told);
  }
  return usage;
}

function priceOf({ path, request, origin }: VendorAnswer, told: string | undefined) {
  const byPath = findDialect('llm', path);
  const dialect = byPath.forBody?.(request, path) ?? byPath;
  return findPrice({ model: told ?? dialect.readModel(request, path) ?? '', origin, provider: dialect.provider });
}

const rows = vendorAnswers.flatMap((row) => [
  ...(row.whole === undefined ? [] : [[row.vendor, 'whole', row] as const]),
  ...(row.stream.length === 0 ? [] : [[row.vendor, 'streamed', row] as const]),
]);

test.each(rows)('%s, %s: tokens and cost are those that its vendor documents', (_vendor, form, row) => {
  const usage = readUsage(row, form);
  if (usage === undefined) throw new Error('Nothing was read');
  expect({
    input: usage.inputTokens,
    cached: usage.cachedInputTokens,
    written: usage.cacheWriteTokens,
    output: usage.outputTokens,
    reasoning: usage.reasoningTokens,
  }).toEqual({ cached: 0, written: 0, reasoning: 0, ...row.tokens });
  const price = priceOf(row, usage.model);
  if (price === undefined) throw new Error('No price');
  expect(costOf(price, usage)).toBe(Math.ceil(Math.max(0, row.usd * 1e6 - 1e-6)));
  expect(usage.statedCostMicroUsd).toBe(row.stated === undefined ? undefined : row.stated * 1e6);
});
