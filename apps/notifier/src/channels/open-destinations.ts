import { channelNames, type ChannelName } from '@portcullis/contracts/channels';
import type { SettingsSection } from '@portcullis/contracts/settings';
import type { Infrastructure } from '@portcullis/platform/lifecycle/infrastructure';
import { createCachedSettings, type CachedSettings } from '@portcullis/platform/settings/cached-settings';
import { openSection } from '@portcullis/platform/settings/open-section';
import type { Channel, ChannelTools, Destination } from './channel.ts';
import { channels } from './channels.ts';

type Store = Pick<Infrastructure, 'database' | 'encryption'>;

/** The destination of a channel by the settings as they are stored now. @throws as `openSection` */
export const openDestination = (name: ChannelName, store: Store, tools: ChannelTools): Promise<Destination> =>
  open(channels[name], store, tools);

const open = async <Section extends SettingsSection>(
  channel: Channel<Section>,
  { database, encryption }: Store,
  tools: ChannelTools,
): Promise<Destination> => channel.open(await openSection(database, encryption, channel.section), tools);

export type Destinations = ReadonlyMap<ChannelName, CachedSettings<Destination>>;

/** The destinations of all channels, by settings that are a second old at most. */
export const openDestinations = (store: Store, tools: ChannelTools): Destinations =>
  new Map(channelNames.map((name) => [name, createCachedSettings(() => openDestination(name, store, tools))]));
