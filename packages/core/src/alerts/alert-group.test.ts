import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { joinGroup, type AlertGroup, type GroupRule } from './alert-group.ts';

const rule: GroupRule = { singles: 2, intervalMs: 60_000 };

/** Alerts at these seconds, and how each went out: `single`, or the second at which its digest is due. */
function run(seconds: readonly number[], by: GroupRule = rule, isCrowded = false) {
  let group: AlertGroup | undefined;
  let ids = 0;
  return seconds.map((second) => {
    const answer = joinGroup(group, by, second * 1_000, isCrowded, () => `digest-${(ids += 1)}`);
    group = answer.group;
    return answer.kind === 'single' ? 'single' : answer.dueAtMs / 1_000;
  });
}

describe('alerts of one rule and source', () => {
  test('go out one by one at first, and then in a digest', () => {
    expect(run([0, 1, 2, 3, 61.9])).toEqual(['single', 'single', 62, 62, 62]);
  });

  test('have digests that gather twice as long each time, up to sixteen intervals', () => {
    const seconds = Array.from({ length: 4_000 }, (_, second) => second);
    const due = new Set(run(seconds).filter((answer) => answer !== 'single'));
    expect([...due]).toEqual([62, 182, 422, 902, 1_862, 2_822, 3_782, 4_742]);
  });

  test('go out one by one again after an interval without any', () => {
    expect(run([0, 1, 2, 3, 62, 121, 400])).toEqual(['single', 'single', 62, 62, 182, 182, 'single']);
    expect(run([0, 59, 118, 180])).toEqual(['single', 'single', 178, 300]);
    expect(run([0, 60, 120, 180])).toEqual(['single', 'single', 'single', 'single']);
    // A digest that was sent a moment ago ends no run.
    expect(run([0, 1, 2, 121])).toEqual(['single', 'single', 62, 241]);
    expect(run([0, 1, 2, 122])).toEqual(['single', 'single', 62, 'single']);
  });

  test('wait for a digest at once when the rule is crowded', () => {
    expect(run([0, 1], rule, true)).toEqual([60, 60]);
  });

  test('are never gathered where that is switched off', () => {
    expect(run([0, 0, 0, 0], { ...rule, singles: 0 })).toEqual(['single', 'single', 'single', 'single']);
  });

  test('are each told of once: alone, or in a digest that is not due yet', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 200_000 }), { maxLength: 60 }), (pauses) => {
        let nowMs = 0;
        let group: AlertGroup | undefined;
        const opened = new Map<string, number>();
        for (const pause of pauses) {
          nowMs += pause;
          const answer = joinGroup(group, rule, nowMs, false, () => `digest-${opened.size}`);
          const { id, dueAtMs, isNew } =
            answer.kind === 'digest' ? answer : { id: 'alone', dueAtMs: nowMs + 1, isNew: true };
          expect(isNew).toBe(id === 'alone' || !opened.has(id));
          expect(dueAtMs).toBe(isNew ? dueAtMs : opened.get(id));
          expect(dueAtMs).toBeGreaterThan(nowMs);
          expect(dueAtMs - nowMs).toBeLessThanOrEqual(16 * rule.intervalMs);
          if (id !== 'alone') opened.set(id, dueAtMs);
          ({ group } = answer);
        }
      }),
    );
  });
});
