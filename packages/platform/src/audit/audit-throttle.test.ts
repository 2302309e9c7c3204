import { expect, test } from '@jest/globals';
import { renderAuditRecord, type AuditEntry } from './audit-entry.ts';
import { AuditThrottle } from './audit-throttle.ts';

const entry = (ip: string): AuditEntry => ({
  event_type: 'security.access.denied',
  severity: 'warning',
  actor: { type: 'anonymous', id: null, name: null },
  source_ip: ip,
  details: { reason: 'key_unknown' },
});

test('the first of alike events is recorded, the others are counted for a minute', () => {
  const throttle = new AuditThrottle();
  const admitted = Array.from({ length: 1_000 }, (_, index) => throttle.admit('a', entry('a'), index));
  expect(admitted.filter(Boolean)).toHaveLength(1);
  expect(throttle.admit('b', entry('b'), 1_000)).toBe(true);
  expect(throttle.takeRepeats(59_999)).toEqual([]);
  expect(throttle.takeRepeats(60_000)).toEqual([{ ...entry('a'), details: { reason: 'key_unknown', repeats: 999 } }]);
  expect(throttle.admit('a', entry('a'), 60_001)).toBe(true);
  expect(throttle.takeRepeats(Number.POSITIVE_INFINITY)).toEqual([]);
});

test('repeats survive a window that was not emptied', () => {
  const throttle = new AuditThrottle();
  for (const nowMs of [0, 1, 2, 70_000, 70_001]) throttle.admit('a', entry('a'), nowMs);
  expect(throttle.takeRepeats(200_000)).toMatchObject([{ details: { repeats: 3 } }]);
});

test('however many different ones there are, a minute has a bounded number of records', () => {
  const throttle = new AuditThrottle();
  let records = 0;
  for (let index = 0; index < 50_000; index += 1) {
    if (throttle.admit(`key ${index}`, entry(`10.0.0.${index}`), index)) records += 1;
  }
  const repeats = throttle.takeRepeats(Number.POSITIVE_INFINITY);
  expect(records).toBe(100);
  expect(repeats).toMatchObject([{ event_type: 'security.access.denied', details: { repeats: 49_900 } }]);
  expect(repeats.map((entry) => renderAuditRecord(entry).severity)).toEqual(['critical']);
});
