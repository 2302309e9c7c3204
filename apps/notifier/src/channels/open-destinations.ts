import { hash } from 'node:crypto';
import { channelNames, type ChannelName } from '@portcullis/contracts/channels';
import { settingsSections, type SettingsSection } from '@portcullis/contracts/settings';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { createCachedSettings, type CachedSettings } from '@portcullis/platform/settings/cached-settings';
import { openSection } from '@portcullis/platform/settings/open-section';
import type { Channel, ChannelTools, Destination } from './shared/channel.ts';
import { channels } from './channels.ts';

type Store = Pick<Infrastructure, 'database' | 'encryption'>;

/** The destination of a channel by the settings as they are stored now. @throws as `openSection` */
export const openDestination = (name: ChannelName, store: Store, tools: ChannelTools): Promise<OpenedDestination> =>
  open(channels[name], store, tools);

const open = async <Section extends SettingsSection>(
  channel: Channel<Section>,
  { database, encryption }: Store,
  tools: ChannelTools,
): Promise<OpenedDestination> => {
  const section = await openSection(database, encryption, channel.section);
  const secrets = settingsSections[channel.section].secrets.map((field) => section.secret(field)?.reveal());
  const revision = hash('sha256', JSON.stringify([section.settings, secrets]));
  return { ...channel.open(section, tools), revision };
};

export interface OpenedDestination extends Destination {
  /** Another one for other settings; nothing can be read out of it. */
  readonly revision: string;
}

export type Destinations = ReadonlyMap<ChannelName, CachedSettings<OpenedDestination>>;

/** The destinations of all channels, by settings that are a second old at most. */
export const openDestinations = (store: Store, tools: ChannelTools): Destinations =>
  new Map(channelNames.map((name) => [name, createCachedSettings(() => openDestination(name, store, tools))]));
