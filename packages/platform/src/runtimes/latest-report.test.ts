import { expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { LatestReport } from './latest-report.ts';

test('one report goes at a time, and what came meanwhile is the newest alone', async () => {
  const sent: number[] = [];
  const gate = Promise.withResolvers<void>();
  const reports = new LatestReport<number>({
    async send(report) {
      sent.push(report);
      await gate.promise;
    },
    onFault: () => undefined,
  });
  const first = reports.put(1);
  void reports.put(2);
  const third = reports.put(3);
  gate.resolve();
  await Promise.all([first, third]);
  expect([sent, reports.value, reports.isUnderWay]).toEqual([[1, 3], 3, false]);
});

test('a report that failed is sent again, the newest by then; none behind the end', async () => {
  const sent: number[] = [];
  const faults: unknown[] = [];
  let isAway = true;
  const reports = new LatestReport<number>({
    async send(report) {
      if (isAway) throw new Error('away');
      sent.push(report);
    },
    onFault: (error) => void faults.push(error),
    againAfterMs: 5,
  });
  await reports.put(1);
  await reports.put(2);
  isAway = false;
  await waitFor(() => sent.length === 1, { what: 'the report' });
  expect([sent, faults.length >= 2]).toEqual([[2], true]);
  await reports.end();
  await reports.sendAgain();
  expect(sent).toEqual([2]);
});
