import { expect, test } from '@jest/globals';
import { OpenTaskCounts } from './open-task-counts.ts';

function open(tasks: Record<string, number>) {
  const clock = { nowMs: 0, counted: 0 };
  const counts = new OpenTaskCounts({
    async count(owner) {
      clock.counted += 1;
      return tasks[owner] ?? 0;
    },
    nowMs: () => clock.nowMs,
  });
  return { clock, counts };
}

test('tasks are counted once for those who ask at the same time, and anew after a second', async () => {
  const { clock, counts } = open({ 'group:1': 3 });
  expect(await Promise.all([1, 2, 3].map(() => counts.mayBegin('group:1', 100)))).toEqual([true, true, true]);
  expect(await counts.mayBegin('group:1', 100)).toBe(true);
  expect(clock.counted).toBe(1);
  clock.nowMs = 1_000;
  await counts.mayBegin('group:1', 100);
  expect(clock.counted).toBe(2);
});

test('what was let through since counts, and nothing is refused without a count', async () => {
  const tasks = { 'group:1': 8 };
  const { clock, counts } = open(tasks);
  expect([await counts.mayBegin('group:1', 10), await counts.mayBegin('group:1', 10)]).toEqual([true, true]);
  expect(clock.counted).toBe(1);
  // Both have ended by now.
  expect(await counts.mayBegin('group:1', 10)).toBe(true);
  expect(clock.counted).toBe(2);
  tasks['group:1'] = 10;
  await counts.mayBegin('group:1', 10);
  expect(await counts.mayBegin('group:1', 10)).toBe(false);
  tasks['group:1'] = 9;
  expect(await counts.mayBegin('group:1', 10)).toBe(true);
});
