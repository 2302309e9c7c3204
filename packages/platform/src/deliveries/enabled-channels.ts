import { channelNames, channelSections, groupedChannels, type ChannelName } from '@portcullis/contracts/channels';
import type { EventKind } from '@portcullis/contracts/gateway-events';
import { settingsSections } from '@portcullis/contracts/settings';
import { sql } from 'kysely';
import type { Queryable } from '../database/database.ts';

/** The channels that are switched on. */
export interface AlertChannels {
  readonly names: readonly ChannelName[];
  /** Those of them whose floods are gathered into digests. */
  readonly gathering: readonly ChannelName[];
}

export async function loadAlertChannels(database: Queryable): Promise<AlertChannels> {
  const enabled = await loadEnabledSettings(database);
  const gathering = enabled.filter(([name, stored]) => groupedChannels.includes(name) && gathers(name, stored));
  return { names: enabled.map(([name]) => name), gathering: gathering.map(([name]) => name) };
}

/** Most have no say in it. */
const gathers = (name: ChannelName, stored: object): boolean => {
  const { digests } = { ...settingsSections[channelSections[name]].defaults, ...stored } as { digests?: unknown };
  return digests !== false;
};

/** The channels that are switched on and take events of a kind. */
export async function loadEventChannels(database: Queryable, kind: EventKind): Promise<readonly ChannelName[]> {
  const enabled = await loadEnabledSettings(database);
  return enabled.filter(([name, stored]) => kindsOf(name, stored).includes(kind)).map(([name]) => name);
}

async function loadEnabledSettings({ kysely }: Queryable): Promise<readonly (readonly [ChannelName, object])[]> {
  const rows = await kysely
    .selectFrom('settings')
    .select(['section', 'document'])
    .where(sql<boolean>`document->>'enabled' = 'true'`)
    .execute();
  const sections = new Map(rows.map(({ section, document }) => [section, Object(document) as object]));
  return channelNames.flatMap((name) => {
    const stored = sections.get(channelSections[name]);
    return stored === undefined ? [] : [[name, stored] as const];
  });
}

/** Settings hold what an admin has set, and defaults hold for all else. Some channels take alerts alone. */
function kindsOf(name: ChannelName, stored: object): readonly unknown[] {
  const { events } = { ...settingsSections[channelSections[name]].defaults, ...stored } as {
    readonly events?: unknown;
  };
  return Array.isArray(events) ? events : [];
}

/** Sections of channels that take events. */
export const eventSections: readonly string[] = channelNames
  .map((name) => channelSections[name])
  .filter((section) => 'events' in settingsSections[section].defaults);
