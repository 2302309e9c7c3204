import { expect, test } from '@jest/globals';
import type { ProxyStats } from '../listeners/proxy-stats.ts';
import { WorkerStats } from './worker-stats.ts';

const stats = (requests: number, state: ProxyStats['target']['state'] = 'closed'): ProxyStats => ({
  requests,
  errors: 1,
  target: { state, problem: state === 'closed' ? null : 'down' },
});

test('counts add up over workers and their successors; a target is as the worst living worker finds it', () => {
  const all = new WorkerStats();
  all.set(1, [[7, stats(10)]]);
  all.set(2, [
    [7, stats(5, 'open')],
    [8, stats(1)],
  ]);
  expect(all.of(7)).toEqual({ requests: 15, errors: 2, target: { state: 'open', problem: 'down' } });
  all.settle(2);
  expect(all.of(7)).toEqual({ requests: 15, errors: 2, target: { state: 'closed', problem: null } });
  all.set(2, [[7, stats(3, 'half_open')]]);
  expect(new Map(all.all())).toEqual(
    new Map([
      [7, { requests: 18, errors: 3, target: { state: 'half_open', problem: 'down' } }],
      [8, { requests: 1, errors: 1, target: { state: 'closed', problem: null } }],
    ]),
  );
});
