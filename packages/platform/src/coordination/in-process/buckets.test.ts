import { describe, expect, test } from '@jest/globals';
import { createInProcessBuckets } from './buckets.ts';

const rule = { capacity: 2, refillPerSecond: 1 };
const secondUs = 1_000_000;

describe('buckets in the process', () => {
  test('answer without a promise', () => {
    expect(createInProcessBuckets().take('key', rule)).toEqual({ allowed: true, remaining: 1, retryAfterMs: 0 });
  });

  test('are forgotten when they are full again, as others come', () => {
    let nowUs = 0;
    const buckets = createInProcessBuckets({ nowUs: () => nowUs });
    for (let n = 0; n < 1_000; n += 1) buckets.take(`early-${n}`, rule);
    expect(buckets.size).toBe(1_000);
    nowUs = secondUs;
    for (let n = 0; n < 1_000; n += 1) buckets.take(`late-${n}`, rule);
    expect(buckets.size).toBe(1_000);
  });

  test('never number more than allowed; those unused for longest go first', () => {
    const buckets = createInProcessBuckets({ maxBuckets: 100, nowUs: () => 0 });
    for (let n = 0; n < 100; n += 1) buckets.take(`key-${n}`, rule);
    buckets.take('key-0', rule);
    for (let n = 100; n < 150; n += 1) buckets.take(`key-${n}`, rule);
    expect(buckets.size).toBe(100);
    expect(buckets.take('key-0', rule)).toMatchObject({ allowed: false });
    expect(buckets.take('key-1', rule)).toMatchObject({ remaining: 1 });
  });
});
