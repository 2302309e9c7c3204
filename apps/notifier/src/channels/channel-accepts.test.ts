import { expect, test } from '@jest/globals';
import { alertCategories, severities, type Severity } from '@portcullis/contracts/records';
import { anAlert } from './an-alert.fixture.ts';
import { channelAccepts } from './channel-accepts.ts';

const accepted = (minimum: Severity) =>
  severities.filter((severity) =>
    channelAccepts({ minimum_severity: minimum, categories: [...alertCategories] }, anAlert({ severity })),
  );

test.each([
  ['Critical', ['Critical']],
  ['High', ['Critical', 'High']],
  ['Medium', ['Critical', 'High', 'Medium']],
  ['Low', ['Critical', 'High', 'Medium', 'Low']],
] as const)('from %s on: %s', (minimum, passing) => {
  expect(accepted(minimum)).toEqual(passing);
});

test('both the severity and the category must pass', () => {
  const channel = { minimum_severity: 'High' as const, categories: ['Guardrails' as const] };
  expect(channelAccepts(channel, anAlert({ severity: 'Critical', category: 'Guardrails' }))).toBe(true);
  expect(channelAccepts(channel, anAlert({ severity: 'Critical', category: 'Other' }))).toBe(false);
  expect(channelAccepts(channel, anAlert({ severity: 'Medium', category: 'Guardrails' }))).toBe(false);
  expect(channelAccepts({ ...channel, categories: [] }, anAlert({ severity: 'Critical' }))).toBe(false);
});
