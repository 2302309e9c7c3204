import { expect, test } from '@jest/globals';
import { parseAlertFilterOrThrow } from './alert-filter.ts';

const page = { limit: 50, offset: 0 };

test('lists are read in any case, with synonyms and blanks', () => {
  const filter = parseAlertFilterOrThrow({
    ...page,
    severity: 'critical, HIGH',
    status: 'open,investigating',
    proxy_type: 'LLM',
    policy_name: 'One,Two words',
    time_range: '24h',
  });
  expect(filter).toMatchObject({
    severities: ['Critical', 'High'],
    statuses: ['new', 'in_progress'],
    proxyTypes: ['llm'],
    policyNames: ['One', 'Two words'],
    maxAgeSeconds: 86_400,
  });
});

test.each([
  ['90m', 5_400],
  ['1h', 3_600],
  ['7d', 604_800],
])('the time range %s is %d seconds', (range, seconds) => {
  expect(parseAlertFilterOrThrow({ ...page, time_range: range }).maxAgeSeconds).toBe(seconds);
});

test('every unknown word is named', () => {
  expect(() => parseAlertFilterOrThrow({ ...page, severity: 'high,awful', status: 'gone' })).toThrow(
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
