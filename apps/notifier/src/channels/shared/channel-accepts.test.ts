import { describe, expect, test } from '@jest/globals';
import type { ChannelName, ChannelSection } from '@portcullis/contracts/channels';
import { eventKinds, sentKinds } from '@portcullis/contracts/gateway-events';
import { alertCategories, severities, type Severity } from '@portcullis/contracts/records';
import { settingsSections } from '@portcullis/contracts/settings';
import { anAlert } from '../an-alert.fixture.ts';
import type { Destination } from './channel.ts';
import { channelAccepts } from './channel-accepts.ts';
import { channels } from '../channels.ts';

/** By hand, so that the order of a list decides nothing here. */
const rank: Readonly<Record<Severity, number>> = { Critical: 4, High: 3, Medium: 2, Low: 1 };

/** A destination that is asked what it takes, and sends nothing. */
function open(name: ChannelName, section: ChannelSection, set: object): Destination {
  const settings = { ...settingsSections[section].defaults, enabled: true, ...set };
  const openAny = channels[name].open as (section: unknown, tools: unknown) => Destination;
  return openAny({ settings, secret: () => undefined }, {});
}

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

/** Settings with which each channel can send. */
const filters = Object.values(channels).map(({ name, section }) => [name, section] as const);

describe.each(filters)('%s', (name, section) => {
  test.each(severities.flatMap((minimum) => alertCategories.map((category) => [minimum, category] as const)))(
    'from %s on, of %s alone',
    (minimum, category) => {
      const { accepts } = open(name, section, { minimum_severity: minimum, categories: [category] });
      for (const severity of severities)
        for (const other of alertCategories) {
          const passes = rank[severity] >= rank[minimum] && other === category;
          expect([severity, other, accepts(anAlert({ severity, category: other }))]).toEqual([severity, other, passes]);
        }
    },
  );

  test('nothing without a category, and all by default; people are told nothing less than Medium', () => {
    const none = open(name, section, { categories: [] });
    const usual = open(name, section, {});
    for (const severity of severities)
      for (const category of alertCategories) {
        expect(none.accepts(anAlert({ severity, category }))).toBe(false);
        expect(usual.accepts(anAlert({ severity, category }))).toBe(
          severity !== 'Low' || name === 'siem' || name === 'syslog',
        );
      }
  });
});

test.each(filters.filter(([, section]) => 'events' in settingsSections[section].defaults))(
  '%s takes alerts, and events of each kind, only where they are named',
  (name, section) => {
    for (const named of sentKinds) {
      const { accepts, events } = open(name, section, { events: [named] });
      expect(accepts(anAlert({ severity: 'Critical' }))).toBe(named === 'alerts');
      expect(eventKinds.filter((kind) => events?.accepts({ kind }))).toEqual(named === 'alerts' ? [] : [named]);
    }
  },
);
