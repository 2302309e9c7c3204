import { expect, test } from '@jest/globals';
import { readTime } from './record-time.ts';

test('every time is read as if it were alone', () => {
  const times = [
    '2026-03-04T05:06:07.089Z',
    '2026-03-04T05:06:07.999Z',
    '2026-03-04T05:06:07.089+01:00',
    '2026-03-04T05:06:07.0x9Z',
    '2026-03-04T05:06:07.089z',
    '2026-03-04T05:06:07.0891Z',
    '2026-03-04T05:06:08.000Z',
    '2026-03-04',
    '2026-13-04T05:06:07.089Z',
    '2026-13-04T05:06:07.090Z',
    'soon',
    '',
    '2026-03-04T05:06:08.001Z',
  ];
  for (const time of [...times, ...times.toReversed()]) expect(readTime(time)).toBe(Date.parse(time));
});
