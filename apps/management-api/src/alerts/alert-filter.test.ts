import { expect, test } from '@jest/globals';
import { parseAlertFilterOrThrow } from './alert-filter.ts';

const now = new Date('2026-05-10T12:00:00Z');

test('lists are read in any case, with synonyms and blanks', () => {
  const filter = parseAlertFilterOrThrow(
    {
      severity: 'critical, HIGH',
      status: 'open,investigating',
      proxy_type: 'LLM',
      policy_name: 'One,Two words',
      time_range: '24h',
      category: 'policy_violations',
      action: 'block',
    },
    { now },
  );
  expect(filter).toMatchObject({
    severities: ['Critical', 'High'],
    statuses: ['new', 'in_progress'],
    proxyTypes: ['llm'],
    categories: ['Policy Violations'],
    actions: ['Block'],
    policyNames: ['One', 'Two words'],
    from: new Date('2026-05-09T12:00:00Z'),
  });
});

test.each([
  [{ time_range: '90m' }, '2026-05-10T10:30:00.000Z', undefined],
  [{ time_range: '7d' }, '2026-05-03T12:00:00.000Z', undefined],
  [{ hours: 6 }, '2026-05-10T06:00:00.000Z', undefined],
  [{ date_from: '2026-05-01' }, '2026-05-01T00:00:00.000Z', undefined],
  [{ date_to: '2026-05-01' }, undefined, '2026-05-02T00:00:00.000Z'],
  [
    { date_from: '2026-05-01T10:00:00+02:00', date_to: '2026-05-01T09:30' },
    '2026-05-01T08:00:00.000Z',
    '2026-05-01T09:30:00.000Z',
  ],
  [{ time_range: '30d', date_from: '2026-05-09' }, '2026-05-09T00:00:00.000Z', undefined],
  [{ date_from: '2026-05-01', date_to: '2026-05-01' }, '2026-05-01T00:00:00.000Z', '2026-05-02T00:00:00.000Z'],
])('the window %j is from %s to %s', (query, from, to) => {
  const filter = parseAlertFilterOrThrow(query, { now });
  expect([filter.from?.toISOString(), filter.to?.toISOString()]).toEqual([from, to]);
});

test.each([
  [{ date_from: '2026-05-02', date_to: '2026-05-01' }, '/query/date_from', 'must not be after date_to'],
  [{ date_from: 'yesterday' }, '/query/date_from', 'must be a date or an ISO 8601 timestamp'],
  [{ date_to: '2026-02-30' }, '/query/date_to', 'must be a date or an ISO 8601 timestamp'],
  [{ date_to: '2026-02-01T25:00:00Z' }, '/query/date_to', 'must be a date or an ISO 8601 timestamp'],
])('the window %j is refused', (query, path, rule) => {
  expect(() => parseAlertFilterOrThrow(query, { now })).toThrow(
    expect.objectContaining({ details: { problems: [{ path, rule }] } }),
  );
});

test('every unknown word is named', () => {
  expect(() => parseAlertFilterOrThrow({ severity: 'high,awful', status: 'gone' })).toThrow(
    expect.objectContaining({
      reason: 'bad_request',
      details: {
        problems: [
          { path: '/query/severity', rule: 'must be out of Critical, High, Medium, Low' },
          { path: '/query/status', rule: expect.stringContaining('acknowledged') },
        ],
      },
    }),
  );
});

test('assignees are named, oneself, or none', () => {
  const caller = { kind: 'user', id: 2, username: 'ben', role: 'operator' } as const;
  const read = (assignee: string) => parseAlertFilterOrThrow({ assignee }, { caller }).assignees;
  expect([read('ann, me'), read('none'), read(' , ')]).toEqual([['ann', 'ben'], 'unassigned', undefined]);
  expect(() => read('ann,none')).toThrow(
    expect.objectContaining({
      details: { problems: [{ path: '/query/assignee', rule: 'must not have names beside none' }] },
    }),
  );
});
