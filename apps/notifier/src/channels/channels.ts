import type { ChannelName, channelSections } from '@portcullis/contracts/channels';
import type { Channel } from './shared/channel.ts';
import { chatChannel } from './chat/chat-channel.ts';
import { emailChannel } from './email/email-channel.ts';
import { pagerdutyChannel } from './pagerduty/pagerduty-channel.ts';
import { siemChannel } from './siem/siem-channel.ts';
import { syslogChannel } from './syslog/syslog-channel.ts';
import { webhookChannel } from './webhook/webhook-channel.ts';

/** All channels, a row each. */
export const channels: { readonly [Name in ChannelName]: Channel<(typeof channelSections)[Name]> } = {
  chat: chatChannel,
  email: emailChannel,
  siem: siemChannel,
  syslog: syslogChannel,
  webhook: webhookChannel,
  pagerduty: pagerdutyChannel,
};
