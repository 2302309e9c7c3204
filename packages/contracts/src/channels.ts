import type { SettingsSection } from './settings.ts';

/** The outbound channels of alerts, and the section of the settings that each is set up in. */
export const channelSections = {
  chat: 'chat_webhook',
  email: 'email',
  siem: 'siem',
  syslog: 'syslog',
  webhook: 'webhook',
  pagerduty: 'pagerduty',
} as const satisfies Readonly<Record<string, SettingsSection>>;

/** As it stands in jobs, in `alert_deliveries`, in dead letters and in the labels of metrics. */
export type ChannelName = keyof typeof channelSections;
export type ChannelSection = (typeof channelSections)[ChannelName];

export const channelNames = Object.keys(channelSections) as readonly ChannelName[];

/** All integrations: the channels, and the service that gets traces of requests to models, which takes no alerts. */
export const integrationNames = [...channelNames, 'llm_observability'] as readonly (
  | ChannelName
  | 'llm_observability'
)[];
export type IntegrationName = (typeof integrationNames)[number];

/**
 * Those whose floods are gathered into digests, unless their settings say otherwise: people read them. A SIEM counts, so it gets
 * every alert by itself.
 */
export const groupedChannels: readonly ChannelName[] = ['chat', 'email', 'webhook', 'pagerduty'];
