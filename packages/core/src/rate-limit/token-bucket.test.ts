import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  bucketRuleFor,
  returnToken,
  takeToken,
  tokenIntervalUs,
  type BucketRule,
  type BucketFullAtUs,
} from './token-bucket.ts';

const startUs = 1_700_000_000_000_000;
const secondUs = 1_000_000;

const rules: fc.Arbitrary<BucketRule> = fc.record({
  capacity: fc.integer({ min: 1, max: 5_000 }),
  refillPerSecond: fc.oneof(
    fc.constant(1),
    fc.integer({ min: 1, max: 6_000 }).map((limit) => limit / 60),
  ),
});
const pauses = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5 * secondUs })), { maxLength: 200 });

/** Makes a request after each pause. */
function replay(rule: BucketRule, pausesUs: readonly number[]) {
  let nowUs = startUs;
  let state: BucketFullAtUs | undefined;
  return pausesUs.map((pauseUs) => {
    nowUs += pauseUs;
    const taken = takeToken(state, rule, nowUs);
    state = taken.state;
    return { nowUs, ...taken };
  });
}

describe('the rule of the specification', () => {
  const rule = bucketRuleFor(3);

  test('a burst up to the limit passes, the next request waits for one second', () => {
    expect(replay(rule, [0, 0, 0, 0]).map(({ answer }) => answer)).toEqual([
      { allowed: true, remaining: 2, retryAfterMs: 0 },
      { allowed: true, remaining: 1, retryAfterMs: 0 },
      { allowed: true, remaining: 0, retryAfterMs: 0 },
      { allowed: false, remaining: 0, retryAfterMs: 1_000 },
    ]);
  });

  test('one token comes back per second, for any limit', () => {
    for (const limit of [1, 10, 600]) {
      const emptied = replay(bucketRuleFor(limit), Array<number>(limit).fill(0)).at(-1)?.state;
      expect(takeToken(emptied, bucketRuleFor(limit), startUs + secondUs - 1).answer.allowed).toBe(false);
      expect(takeToken(emptied, bucketRuleFor(limit), startUs + secondUs).answer.allowed).toBe(true);
    }
  });

  test('proportional refill gives the whole limit back within a minute', () => {
    const emptied = replay(bucketRuleFor(600, 'proportional'), Array<number>(600).fill(0)).at(-1)?.state;
    const { answer } = takeToken(emptied, bucketRuleFor(600, 'proportional'), startUs + 60 * secondUs);
    expect(answer.remaining).toBe(599);
  });

  test('a capacity of zero lets nothing pass', () => {
    expect(takeToken(undefined, { capacity: 0, refillPerSecond: 1 }, startUs).answer.allowed).toBe(false);
  });
});

describe('properties', () => {
  test('agrees with a plain count of tokens that grows with time', () => {
    fc.assert(
      fc.property(rules, pauses, (rule, pausesUs) => {
        // Counts in parts of a token, so that the model is exact as well.
        const tokenParts = tokenIntervalUs(rule);
        let parts = rule.capacity * tokenParts;
        replay(rule, pausesUs).forEach(({ answer }, index) => {
          parts = Math.min(rule.capacity * tokenParts, parts + (index === 0 ? 0 : (pausesUs[index] ?? 0)));
          const allowed = parts >= tokenParts;
          if (allowed) parts -= tokenParts;
          expect({ allowed: answer.allowed, remaining: answer.remaining }).toEqual({
            allowed,
            remaining: Math.floor(parts / tokenParts),
          });
        });
      }),
    );
  });

  test('never lets more pass in a window than its capacity and its refill', () => {
    fc.assert(
      fc.property(rules, pauses, (rule, pausesUs) => {
        const requests = replay(rule, pausesUs);
        const first = requests[0]?.nowUs ?? startUs;
        const last = requests.at(-1)?.nowUs ?? startUs;
        const passed = requests.filter(({ answer }) => answer.allowed).length;
        expect(passed).toBeLessThanOrEqual(rule.capacity + Math.floor((last - first) / tokenIntervalUs(rule)));
      }),
    );
  });

  test('a denied request passes after the wait it was told, and not a millisecond earlier', () => {
    fc.assert(
      fc.property(rules, pauses, (rule, pausesUs) => {
        for (const { nowUs, state, answer } of replay(rule, pausesUs)) {
          if (answer.allowed) continue;
          expect(takeToken(state, rule, nowUs + answer.retryAfterMs * 1_000).answer.allowed).toBe(true);
          expect(takeToken(state, rule, nowUs + (answer.retryAfterMs - 1) * 1_000).answer.allowed).toBe(false);
        }
      }),
    );
  });

  test('a bucket is at most empty for any state: it recovers after a lowered limit or a clock set back', () => {
    fc.assert(
      fc.property(rules, fc.maxSafeNat(), (rule, claimed) => {
        const { state, answer } = takeToken(claimed, rule, startUs);
        expect(state).toBeLessThanOrEqual(startUs + rule.capacity * tokenIntervalUs(rule));
        expect(answer.retryAfterMs).toBeLessThanOrEqual(Math.ceil(tokenIntervalUs(rule) / 1_000));
      }),
    );
  });
});

test('a token that is given back is there again, and a full bucket takes none', () => {
  const rule = bucketRuleFor(2);
  const one = takeToken(undefined, rule, startUs).state;
  const two = takeToken(one, rule, startUs).state;
  expect(returnToken(two, rule, startUs)).toBe(one);
  expect(returnToken(one, rule, startUs)).toBeUndefined();
  expect(returnToken(undefined, rule, startUs)).toBeUndefined();
});
