import { expect, test } from '@jest/globals';
import type { LiveEvent } from '@portcullis/contracts/events';
import { parseLiveFilter, passesFilter } from './live-filter.ts';

const alert = (fields: object) => ({ type: 'new_alert', payload: fields }) as unknown as LiveEvent;
const started = (id: number): LiveEvent => ({ type: 'proxy_status', payload: { id, name: 'a', status: 'started' } });

test.each([
  [{ proxy: [1, 2] }, alert({ proxy_id: 2 }), true],
  [{ proxy: [1] }, alert({ proxy_id: 2 }), false],
  [{ proxy: [1] }, alert({ proxy_id: null }), false],
  [{ proxy: [1] }, started(1), true],
  [{ proxy: [1] }, started(2), false],
  [{ severity: ['High', 'Critical'] }, alert({ severity: 'Low' }), false],
  [{ severity: ['High'], team: ['research'] }, alert({ severity: 'High', user_group: 'research' }), true],
  [{ severity: ['High'], team: ['research'] }, alert({ severity: 'High', user_group: null }), false],
  [{ severity: ['High'] }, started(1), true],
  [{}, alert({ severity: 'Low' }), true],
])('%j lets %j pass: %p', (given, event, passes) => {
  const filter = parseLiveFilter(given);
  expect(filter && passesFilter(filter, event)).toBe(passes);
});

test.each([null, [], 'x', { proxy: 1 }, { proxy: [] }, { proxy: ['1'] }, { severity: ['high'] }, { other: [1] }])(
  '%j is no filter',
  (given) => {
    expect(parseLiveFilter(given)).toBeUndefined();
  },
);
