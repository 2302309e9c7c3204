import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createUsage, mergeUsage } from './usage.ts';

const counts = fc.nat({ max: 1_000_000 });
const media = fc.option(fc.record({ input: counts, cachedInput: counts, output: counts }), { nil: undefined });
const told = fc.record({
  model: fc.constantFrom(undefined, 'm'),
  input: counts,
  cachedInput: counts,
  cacheWrite: counts,
  output: counts,
  reasoning: counts,
  audio: media,
  image: media,
  total: counts,
});

test('a part is never more than its whole', () => {
  fc.assert(
    fc.property(told, told, (first, second) => {
      for (const usage of [createUsage(first), mergeUsage(createUsage(first), createUsage(second))]) {
        expect(usage.cachedInputTokens + usage.cacheWriteTokens).toBeLessThanOrEqual(usage.inputTokens);
        for (const part of ['input', 'cachedInput', 'output'] as const) {
          const parts = [usage.audio, usage.image].map((each) => each?.[part] ?? 0);
          expect(parts.reduce((sum, tokens) => sum + tokens)).toBeLessThanOrEqual(usage[`${part}Tokens`]);
        }
        expect(usage.reasoningTokens).toBeLessThanOrEqual(usage.outputTokens);
        expect(usage.totalTokens).toBeGreaterThanOrEqual(usage.inputTokens + usage.outputTokens);
      }
    }),
  );
});

test('the same told twice is told once', () => {
  fc.assert(
    fc.property(told, (each) => {
      const usage = createUsage(each);
      expect(mergeUsage(mergeUsage(undefined, usage), usage)).toEqual(usage);
    }),
  );
});
