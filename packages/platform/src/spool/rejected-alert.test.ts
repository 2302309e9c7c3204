import { expect, test } from '@jest/globals';
import { createRejectedAlerts } from './rejected-alert.ts';

const rejected = { reason: 'value too long', line: '{"kind":"usage"}' };

test('records that were refused are told once a minute', () => {
  let now = 1_000_000;
  const alertFor = createRejectedAlerts(() => now);
  expect(alertFor([])).toBeUndefined();
  expect(alertFor([rejected, rejected])).toMatchObject({ severity: 'High', raw_data: { records: 2 } });
  now += 59_000;
  expect(alertFor([rejected])).toBeUndefined();
  now += 1_000;
  expect(alertFor([rejected])).toMatchObject({ raw_data: { records: 1, reason: 'value too long' } });
});

test('an alert that was refused makes no other alert', () => {
  expect(createRejectedAlerts()([{ reason: 'x', line: '{"kind":"alert","title":"y"}' }])).toBeUndefined();
});
